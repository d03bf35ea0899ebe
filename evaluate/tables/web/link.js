// The link to the table. It comes back by itself when it is cut off, and says what is known already,
// so that nothing is missed and nothing is sent twice.

const FATAL = new Set([1008, 4001, 4008, 4009]);
const SOONEST = 300;
const LATEST = 5000;

export class Link {
  // known(): {number, step} of what has been seen; on(message); changed(state, sentence) with state
  // "open", "lost" or "closed".
  constructor(key, { known, on, changed }) {
    Object.assign(this, { key, known, on, changed });
    this.delay = SOONEST;
    this.connect();
  }

  connect() {
    const address = new URL("/table", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    this.socket = new WebSocket(address);
    this.socket.addEventListener("open", () => this.send({ type: "hello", key: this.key, ...this.known() }));
    this.socket.addEventListener("message", (event) => {
      this.delay = SOONEST;
      this.changed("open");
      this.on(JSON.parse(event.data));
    });
    this.socket.addEventListener("close", (event) => this.closed(event));
  }

  closed(event) {
    if (FATAL.has(event.code)) {
      this.changed("closed", event.reason);
      return;
    }
    this.changed("lost");
    setTimeout(() => this.connect(), this.delay);
    this.delay = Math.min(LATEST, 2 * this.delay);
  }

  // Whether it was sent; what cannot be sent now is not kept, since the table may have moved on.
  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
