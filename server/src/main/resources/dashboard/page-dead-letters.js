/** Messages that were given up: by queue and error, and those of one queue. */
import {html, nothing} from 'lit';
import {get, getExactly, isLimited, path, query, session} from './api.js';
import {Live} from './live.js';
import {collect, errorParameter, purgeAll, purgeSome, redriveAll, redriveSome} from './dead.js';
import {ask, perform, progress} from './dialog.js';
import {Page, action, groupLink, link, pager, payloadView, queueLink, table} from './elements.js';
import {ago, count, groupName, plural, pretty, time} from './format.js';

const LIMIT = 50;

/** Rows of the table by queue and error. */
const MOST_ERRORS = 100;

/** As many letters the broker looks at to make it. */
const MOST_LETTERS = 10_000;

/** Whether that table has everything. @param {any} answer */
const isWhole = (answer) => answer.lookedAt < MOST_LETTERS && answer.errors.length < MOST_ERRORS;

/** @param {string} error */
const errorName = (error) => error || '(no reason given)';

class PageDeadLetters extends Page {
  static properties = {answer: {state: true}};

  constructor() {
    super();
    /** @type {any} */
    this.answer = null;
    if (!isLimited()) {
      this.live = new Live(this, [{every: 5000, run: async (signal) => {
        this.answer = await get('/api/v1/dashboard/errors' + query({limit: MOST_ERRORS}), signal);
      }}]);
    }
    document.title = 'Dead letters · Queen MQ';
  }

  render() {
    if (isLimited()) {
      const names = (session()?.queues ?? []).filter((pattern) => !pattern.endsWith('*'));
      return html`<div class="head"><h1>Dead letters</h1></div>
        ${table('Queues of your token', [
          {label: 'Queues of your token', cell: (name) => html`<a class="name" href=${link(['dead-letters', name])}>${name}</a>`},
        ], names, {empty: 'Open a queue to see its dead letters.'})}`;
    }
    const {answer} = this;
    return html`
      <div class="head"><h1>Dead letters</h1>${answer ? html`<span class="total">${plural(answer.total, 'letter')}</span>` : nothing}</div>
      <p class="hint">Messages that a group gave up, because they failed too often, killed their consumers or were given up by hand.</p>
      ${this.trouble()}
      <section><h2>By queue and error</h2>
        ${table('By queue and error', [
          {label: 'Queue', cell: (e) => html`<a class="name" href=${link(['dead-letters', e.queue])}>${e.queue}</a>`},
          {label: 'Error', cell: (e) => html`<a href=${link(['dead-letters', e.queue], {error: e.error || '(none)', group: e.consumerGroup})}>${errorName(e.error)}</a>`},
          {label: 'Group', cell: (e) => groupLink(e.consumerGroup, e.queue)},
          {label: 'Letters', number: true, cell: (e) => count(e.count)},
          {label: 'First', number: true, cell: (e) => html`<span title=${time(e.firstAt)}>${ago(e.firstAt)}</span>`},
          {label: 'Last', number: true, cell: (e) => html`<span title=${time(e.lastAt)}>${ago(e.lastAt)}</span>`},
        ], answer?.errors ?? null, {empty: 'There are none. Nothing was given up.'})}
        ${answer && answer.lookedAt >= MOST_LETTERS ? html`<p class="hint">Counted among ${count(answer.lookedAt)} letters; there are more.</p>` : nothing}</section>
      ${answer?.queues.length && !isWhole(answer) ? html`<section><h2>By queue</h2>
        ${table('By queue', [
          {label: 'Queue', cell: (q) => html`<a class="name" href=${link(['dead-letters', q.name])}>${q.name}</a>`},
          {label: 'Letters', number: true, cell: (q) => count(q.count)},
        ], answer.queues)}</section>` : nothing}`;
  }
}

class PageDeadQueue extends Page {
  static properties = {
    search: {attribute: false}, answer: {state: true}, offset: {state: true}, chosen: {state: true}, opened: {state: true}};

  constructor() {
    super();
    this.search = new URLSearchParams();
    /** @type {any} */
    this.answer = null;
    this.offset = 0;
    /** @type {Map<string, any>} letters that are chosen, by their keys */
    this.chosen = new Map();
    /** @type {Map<string, any>} what was looked into */
    this.opened = new Map();
    this.live = new Live(this, [{every: 5000, run: (signal) => this.#load(signal)}]);
    document.title = 'Dead letters · Queen MQ';
  }

  /** @returns {import('./dead.js').Selection} */
  get selection() {
    const error = this.search.get('error');
    return {queue: this.params[0], error: error === '(none)' ? '' : error, group: this.search.get('group') ?? ''};
  }

  /** @param {AbortSignal} signal */
  async #load(signal) {
    const {queue, error, group} = this.selection;
    const offset = this.offset;
    const answer = await get(path`/api/v1/dashboard/queues/${queue}/dead-letters`
      + query({consumerGroup: group, limit: LIMIT, offset}) + errorParameter(error), signal);
    if (offset === this.offset) {
      this.answer = answer;
    }
  }

  /** @param {any} letter */
  #choose(letter) {
    const chosen = new Map(this.chosen);
    if (!chosen.delete(key(letter))) {
      chosen.set(key(letter), letter);
    }
    this.chosen = chosen;
  }

  render() {
    const {queue, error, group} = this.selection;
    const {answer, chosen} = this;
    const all = answer?.letters.length > 0 && answer.letters.every((/** @type {any} */ l) => chosen.has(key(l)));
    return html`
      <p class="crumbs"><a href="#/dead-letters">Dead letters</a> ›</p>
      <div class="head"><h1>Dead letters of ${queue}</h1>
        <div class="tools">
          ${action('write', chosen.size ? `Redrive ${count(chosen.size)} chosen` : 'Redrive all', () => this.#redrive(), {disabled: !answer?.matched})}
          ${action('write', chosen.size ? `Purge ${count(chosen.size)} chosen` : 'Purge all', () => this.#purge(), {danger: true, disabled: !answer?.matched})}
        </div></div>
      <p class="filters">${queueLink(queue)}
        ${error === null ? nothing : html`· error <strong>${errorName(error)}</strong>`}
        ${group ? html`· group <strong>${groupName(group)}</strong>` : nothing}
        ${error !== null || group ? html`· <a href=${link(['dead-letters', queue])}>show all of the queue</a>` : nothing}</p>
      ${this.trouble()}
      ${table('Dead letters', [
        {label: '', cell: (l) => html`<input type="checkbox" aria-label="Choose ${l.transactionId}" .checked=${chosen.has(key(l))}
          @change=${() => this.#choose(l)}>`},
        {label: 'Transaction id', cell: (l) => html`<a class="name" href=${link(['messages', l.partitionId, l.transactionId])}>${l.transactionId}</a>`},
        {label: 'Lane', cell: (l) => l.partition ?? '–'},
        {label: 'Group', cell: (l) => groupName(l.consumerGroup)},
        {label: 'Error', cell: (l) => html`<span class="bad">${errorName(l.error ?? '')}</span>`},
        {label: 'Retries', number: true, cell: (l) => count(l.retryCount)},
        {label: 'Failed', number: true, cell: (l) => html`<span title=${time(l.failedAt)}>${ago(l.failedAt)}</span>`},
        {label: '', cell: (l) => this.#inside(l)},
      ], answer?.letters ?? null, {empty: 'There are none.'})}
      ${answer ? html`<div class="row">
        <label><input type="checkbox" .checked=${all} ?disabled=${!answer.letters.length} @change=${() => this.#chooseAll(!all)}> Choose all on this page</label>
        ${pager({offset: this.offset, limit: LIMIT, shown: answer.letters.length, matched: answer.matched}, (offset) => {
          this.offset = offset;
          this.live.refresh();
        })}</div>` : nothing}`;
  }

  /** @param {any} letter */
  #inside(letter) {
    const open = this.opened.get(key(letter));
    return html`<button type="button" class="small" aria-expanded=${Boolean(open)} @click=${() => this.#look(letter)}>${open ? 'Hide' : 'Look inside'}</button>
      ${open ? payloadView(open) : nothing}`;
  }

  /** @param {any} letter */
  async #look(letter) {
    const opened = new Map(this.opened);
    if (!opened.delete(key(letter))) {
      try {
        opened.set(key(letter), pretty((await getExactly(path`/api/v1/messages/${letter.partitionId}/${letter.transactionId}`)).payload));
      } catch (e) {
        opened.set(key(letter), String(/** @type {Error} */ (e).message));
      }
    }
    this.opened = opened;
  }

  /** @param {boolean} on */
  #chooseAll(on) {
    const chosen = new Map(this.chosen);
    this.answer.letters.forEach((/** @type {any} */ l) => (on ? chosen.set(key(l), l) : chosen.delete(key(l))));
    this.chosen = chosen;
  }

  /** What the buttons will hit. @returns {[string, unknown][]} */
  #hits() {
    const {queue, error, group} = this.selection;
    const {chosen, answer} = this;
    /** @type {[string, unknown][]} */
    const hits = [['Queue', queue], ['Letters', chosen.size ? count(chosen.size) : count(answer.matched) + (answer.matched >= 10_000 ? ' or more' : '')]];
    if (!chosen.size) {
      hits.push(['Error', error === null ? 'any' : errorName(error)], ['Group', group ? groupName(group) : 'any']);
    }
    return hits;
  }

  async #redrive() {
    if (!await ask({
      title: 'Give these messages back?',
      text: 'The groups that gave them up get them again, as new messages at the end of their lanes.',
      hits: this.#hits(),
      action: 'Redrive',
    })) {
      return;
    }
    const selection = this.selection;
    await perform(() => progress('Giving messages back', async (report, stopped) => {
      if (this.chosen.size) {
        return redriveSome(selection.queue, [...this.chosen.values()], report, stopped);
      }
      if (selection.error === null) {
        return redriveAll(selection, report, stopped);
      }
      return redriveSome(selection.queue, await collect(selection, stopped), report, stopped);
    }), (done) => `${plural(done, 'message')} given back`);
    this.#again();
  }

  async #purge() {
    if (!await ask({
      title: 'Remove these dead letters?',
      text: 'They cannot be given back any more. This cannot be undone.',
      hits: this.#hits(),
      action: 'Purge',
      danger: true,
    })) {
      return;
    }
    const selection = this.selection;
    await perform(() => progress('Removing dead letters', async (report, stopped) => {
      if (this.chosen.size) {
        return purgeSome(selection.queue, [...this.chosen.values()], report, stopped);
      }
      if (selection.error === null) {
        return purgeAll(selection);
      }
      return purgeSome(selection.queue, await collect(selection, stopped), report, stopped);
    }), (done) => `${plural(done, 'dead letter')} removed`);
    this.#again();
  }

  #again() {
    this.chosen = new Map();
    this.offset = 0;
    this.live.refresh();
  }
}

/** @param {any} letter */
function key(letter) {
  return JSON.stringify([letter.partitionId, letter.consumerGroup, letter.transactionId, letter.messageId]);
}

customElements.define('page-dead-letters', PageDeadLetters);
customElements.define('page-dead-queue', PageDeadQueue);
