/** Lets so many in at once; the others wait their turn, in the order in which they came. */
export class Gate {
  readonly #width: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(width: number) {
    this.#width = width;
  }

  /** Runs the work at once where there is room. */
  pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.#width) {
      return new Promise<void>((enter) => this.#waiting.push(enter)).then(() => this.#run(work));
    }
    this.#inside += 1;
    return this.#run(work);
  }

  #run<T>(work: () => Promise<T>): Promise<T> {
    const result = begin(work);
    result.then(this.#leave, this.#leave);
    return result;
  }

  /** Whoever comes next takes the place over. */
  readonly #leave = (): void => {
    const next = this.#waiting.shift();
    if (next === undefined) this.#inside -= 1;
    else next();
  };
}

/** What throws at once has failed like what rejects later: its place must be given over, or those who wait wait for ever. */
function begin<T>(work: () => Promise<T>): Promise<T> {
  try {
    return work();
  } catch (thrown) {
    return Promise.reject(thrown);
  }
}
