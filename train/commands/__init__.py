"""The commands of `backroom`, one file a subject. They import what is slow only when they run."""
