// Where we are in a game: game, viewpoint and step, kept in the address as #17&game=2&seat=1.

export const SPEEDS = [0.5, 1, 2, 4, 8];

export class Player {
  constructor(show) {
    this.show = show;
    this.game = 0;
    this.viewer = "all";
    this.step = 0;
    this.steps = 0;
    this.speed = 1;
    this.timer = null;
  }

  go(step, keepPlaying = false) {
    if (!keepPlaying) this.pause();
    this.step = Math.max(0, Math.min(this.steps, Math.round(step) || 0));
    this.show(this);
  }

  get playing() {
    return this.timer !== null;
  }

  play() {
    if (this.step >= this.steps) this.step = 0;
    this.schedule();
    this.show(this);
  }

  schedule() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      if (this.step < this.steps) {
        if (this.step + 1 < this.steps) this.schedule();
        this.go(this.step + 1, true);
      }
    }, 1000 / this.speed);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
  }

  toggle() {
    if (this.playing) {
      this.pause();
      this.show(this);
    } else {
      this.play();
    }
  }

  setSpeed(speed) {
    this.speed = speed;
    if (this.playing) this.schedule();
  }

  get address() {
    const rest = [];
    if (this.game) rest.push(`game=${this.game}`);
    if (this.viewer !== "all") rest.push(`seat=${this.viewer}`);
    return `#${[this.step, ...rest].join("&")}`;
  }
}

// What an address says: {step, game, viewer}; what makes no sense is left out.
export function readAddress(text) {
  const [step, ...rest] = text.replace(/^#/, "").split("&");
  const named = new URLSearchParams(rest.join("&"));
  const whole = (word) => (/^\d+$/.test(word ?? "") ? Number(word) : undefined);
  const seat = whole(named.get("seat"));
  return { step: whole(step), game: whole(named.get("game")), viewer: seat === undefined ? "all" : String(seat) };
}
