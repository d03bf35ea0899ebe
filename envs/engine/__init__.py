"""What every game shares: compilation, the rules' contract, the environments, records."""
