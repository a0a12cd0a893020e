/** All queues: found, sorted and paged by the server. */
import {html, nothing} from 'lit';
import {get, isLimited, query, session} from './api.js';
import {Live} from './live.js';
import {Page, badge, link, pager, queueLink, searchBox, staleness, table} from './elements.js';
import {count, short} from './format.js';

const LIMIT = 50;

class PageQueues extends Page {
  static properties = {answer: {state: true}, ask: {state: true}};

  constructor() {
    super();
    /** @type {any} */
    this.answer = null;
    this.ask = {search: '', sort: 'pending', descending: true, offset: 0};
    if (!isLimited()) {
      this.live = new Live(this, [{every: 3000, run: (signal) => this.#load(signal)}]);
    }
    document.title = 'Queues · Queen MQ';
  }

  /** @param {AbortSignal} signal */
  async #load(signal) {
    const {search, sort, descending, offset} = this.ask;
    const asked = this.ask;
    const answer = await get('/api/v1/dashboard/queues'
      + query({search, sort, order: descending ? 'desc' : 'asc', limit: LIMIT, offset}), signal);
    if (asked === this.ask) {
      this.answer = answer;
    }
  }

  /** @param {object} changed */
  #change(changed) {
    this.ask = {...this.ask, offset: 0, ...changed};
    this.live?.refresh();
  }

  render() {
    return isLimited() ? this.#limited() : this.#all();
  }

  #all() {
    const {answer, ask} = this;
    return html`
      <div class="head"><h1>Queues</h1>${staleness(answer?.queues[0]?.statsAge)}
        <div class="tools">${searchBox('Search queues by name', ask.search, (search) => this.#change({search}))}</div></div>
      ${this.trouble()}
      ${table('Queues', [
        {label: 'Queue', sort: 'name', cell: (q) => html`${queueLink(q.name)} ${q.paused ? badge('warn', 'paused') : nothing}`},
        {label: 'Lanes', sort: 'partitions', number: true, cell: (q) => count(q.partitions)},
        {label: 'Backlog', sort: 'pending', number: true, cell: (q) => count(q.pending)},
        {label: 'In progress', sort: 'processing', number: true, cell: (q) => count(q.processing)},
        {label: 'Dead letters', sort: 'dead', number: true, cell: (q) => (q.deadLetters
          ? html`<a class="bad" href=${link(['dead-letters', q.name])}>${count(q.deadLetters)}</a>` : '0')},
        {label: 'Ever pushed', sort: 'total', number: true, cell: (q) => short(q.total)},
        {label: 'In / min', number: true, cell: (q) => short(q.pushedLastMinute)},
        {label: 'Out / min', number: true, cell: (q) => short(q.poppedLastMinute)},
      ], answer?.queues ?? null, {
        empty: ask.search ? `No queue has "${ask.search}" in its name.` : 'There are no queues yet. Push a message and one is made.',
        sort: ask.sort,
        descending: ask.descending,
        onSort: (sort, descending) => this.#change({sort, descending}),
      })}
      ${answer ? pager({offset: ask.offset, limit: LIMIT, shown: answer.queues.length, matched: answer.matched},
        (offset) => this.#change({offset})) : nothing}`;
  }

  /** A token for some queues cannot list them all; it can open its own. */
  #limited() {
    const patterns = session()?.queues ?? [];
    const open = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const name = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('queue') ?? '').trim();
      if (name) {
        location.hash = link(['queues', name]);
      }
    };
    return html`
      <div class="head"><h1>Queues</h1></div>
      <p>Your token is good for some queues only, and a list of all is not among what it may see.</p>
      <form class="row" @submit=${open}><input type="search" name="queue" aria-label="Name of a queue" placeholder="Name of a queue">
        <button type="submit" class="primary">Open</button></form>
      ${table('Queues of your token', [
        {label: 'Queues of your token', cell: (pattern) => (pattern.endsWith('*') ? html`names that begin with <code>${pattern.slice(0, -1)}</code>` : queueLink(pattern))},
      ], patterns, {empty: 'Your token is good for no queue.'})}`;
  }
}

customElements.define('page-queues', PageQueues);
