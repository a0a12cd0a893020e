/**
 * Keeps a page up to date. A page names its feeds, each with how often it wants to be asked; all of them
 * together make at most one request a second, one at a time, and none while the tab is hidden.
 */

/** Least time between two requests of a page. */
const PACE = 1000;

/** Slow requests are sent less often, so that an open page takes at most one core divided by this. */
const SHARE = 25;

/** Neither failures nor slow answers make a feed wait longer than this. */
const LONGEST = 10_000;

/**
 * @typedef {object} Feed
 * @property {number} every milliseconds between two requests
 * @property {(signal: AbortSignal) => Promise<void>} run asks once
 */

/** A Lit controller. */
export class Live {
  /** @type {AbortController|null} */
  #abort = null;
  #due = new Map();
  #failures = 0;
  #wake = () => {};

  /**
   * @param {import('lit').ReactiveControllerHost & {error?: unknown}} host gets what went wrong as its `error`
   * @param {Feed[]} feeds
   */
  constructor(host, feeds) {
    this.host = host;
    this.feeds = feeds;
    host.addController(this);
  }

  hostConnected() {
    this.#abort = new AbortController();
    this.refresh();
    this.#loop(this.#abort.signal);
  }

  hostDisconnected() {
    this.#abort?.abort();
    this.#abort = null;
    this.#wake();
  }

  /** Asks everything again, one after the other: after something was changed, or chosen. */
  refresh() {
    this.feeds.forEach((feed) => this.#due.set(feed, 0));
    this.#wake();
  }

  /**
   * Does away with what the page shows. Nothing is asked from then on: it would be asked for something that is gone.
   * @template T
   * @param {() => Promise<T|null>} work gives null if it failed; then the page stays, and asks again
   * @returns {Promise<T|null>}
   */
  async end(work) {
    this.hostDisconnected();
    const done = await work();
    if (done === null && /** @type {any} */ (this.host).isConnected) {
      this.hostConnected();
    }
    return done;
  }

  /** @param {AbortSignal} signal */
  async #loop(signal) {
    while (!signal.aborted) {
      if (document.hidden) {
        await this.#pause(500);
        continue;
      }
      const feed = this.feeds.reduce((a, b) => (this.#due.get(b) < this.#due.get(a) ? b : a));
      const wait = this.#due.get(feed) - Date.now();
      if (wait > 0) {
        await this.#pause(wait);
        continue;
      }
      // What was asked for by hand, or never yet, does not wait; what is repeated does.
      const repeated = this.#due.get(feed) > 0;
      const started = Date.now();
      await this.#ask(feed, signal);
      if (repeated && !signal.aborted) {
        await this.#sleep(PACE - (Date.now() - started));
      }
    }
  }

  /**
   * @param {Feed} feed
   * @param {AbortSignal} signal
   */
  async #ask(feed, signal) {
    // First, so that a refresh meanwhile is not forgotten.
    const started = Date.now();
    this.#due.set(feed, started + Math.max(PACE, feed.every));
    const planned = this.#due.get(feed);
    try {
      await feed.run(signal);
      if (this.#due.get(feed) === planned) {
        this.#due.set(feed, Math.max(planned, started + Math.min(LONGEST, SHARE * (Date.now() - started))));
      }
      this.#failures = 0;
      this.host.error = null;
    } catch (e) {
      if (signal.aborted) {
        return;
      }
      this.#failures++;
      this.#due.set(feed, Date.now() + Math.min(LONGEST, feed.every * 2 ** this.#failures));
      this.host.error = e;
    }
    this.host.requestUpdate();
  }

  /** @param {number} millis or until something is to be done */
  #pause(millis) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, millis);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
  }

  /** @param {number} millis in any case */
  #sleep(millis) {
    return new Promise((resolve) => setTimeout(resolve, Math.max(0, millis)));
  }
}
