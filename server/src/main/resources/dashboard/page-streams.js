/** What stream processors keep at the broker: their queries and their state. */
import {html, nothing} from 'lit';
import {get, path, post, query} from './api.js';
import {Live} from './live.js';
import {perform} from './dialog.js';
import {Page, facts, link, pager, queueLink, searchBox, table} from './elements.js';
import {ago, count, pretty, time} from './format.js';

const LIMIT = 50;

/** Counted no further. @param {number} n */
const atMost = (n) => (n >= 1000 ? '1,000+' : count(n));

class PageStreams extends Page {
  static properties = {answer: {state: true}, ask: {state: true}};

  constructor() {
    super();
    /** @type {any} */
    this.answer = null;
    this.ask = {search: '', offset: 0};
    this.live = new Live(this, [{every: 5000, run: async (signal) => {
      const asked = this.ask;
      const answer = await get('/api/v1/dashboard/streams' + query({...asked, limit: LIMIT}), signal);
      this.answer = asked === this.ask ? answer : this.answer;
    }}]);
    document.title = 'Streams · Queen MQ';
  }

  /** @param {object} changed */
  #change(changed) {
    this.ask = {...this.ask, offset: 0, ...changed};
    this.live.refresh();
  }

  render() {
    const {answer, ask} = this;
    return html`
      <div class="head"><h1>Streams</h1>
        <div class="tools">${searchBox('Search by stream or source', ask.search, (search) => this.#change({search}))}</div></div>
      <p class="hint">Queries of stream processors, with the state that is committed together with what they consume and push.</p>
      ${this.trouble()}
      ${table('Streams', [
        {label: 'Stream', cell: (s) => html`<a class="name" href=${link(['streams', s.queryId, s.name])}>${s.name}</a>`},
        {label: 'Reads', cell: (s) => queueLink(s.sourceQueue)},
        {label: 'Writes', cell: (s) => (s.sinkQueue ? queueLink(s.sinkQueue) : '–')},
        {label: 'Lanes', number: true, cell: (s) => atMost(s.lanes)},
        {label: 'Keys', number: true, cell: (s) => atMost(s.keys)},
        {label: 'Configuration', cell: (s) => html`<code>${s.configHash}</code>`},
        {label: 'Registered', number: true, cell: (s) => ago(s.updatedAt)},
      ], answer?.streams ?? null, {empty: ask.search ? `Nothing has "${ask.search}" in its name.` : 'No stream processor has registered yet.'})}
      ${answer ? pager({offset: ask.offset, limit: LIMIT, shown: answer.streams.length, matched: answer.matched},
        (offset) => this.#change({offset})) : nothing}`;
  }
}

class PageStream extends Page {
  static properties = {lanes: {state: true}, offset: {state: true}, lane: {state: true}, rows: {state: true}, next: {state: true}};

  constructor() {
    super();
    /** @type {any} */
    this.lanes = null;
    this.offset = 0;
    /** @type {any} the lane whose state is shown */
    this.lane = null;
    /** @type {any[]} */
    this.rows = [];
    /** @type {string|undefined} */
    this.next = undefined;
    this.live = new Live(this, [{every: 5000, run: async (signal) => {
      this.lanes = (await get(path`/api/v1/dashboard/streams/${this.params[0]}/lanes` + query({limit: LIMIT, offset: this.offset}), signal)).lanes;
    }}]);
    document.title = 'Stream · Queen MQ';
  }

  /** @param {any} lane @param {boolean} [more] */
  async #show(lane, more = false) {
    const answer = await perform(() => post('/streams/v1/state/get', {
      query_id: this.params[0], partition_id: lane.partitionId, limit: 100, ...(more && this.next !== undefined ? {after: this.next} : {})}),
    (found) => `${count(found.rows.length)} keys read`);
    if (answer) {
      this.lane = lane;
      this.rows = more ? [...this.rows, ...answer.rows] : answer.rows;
      this.next = answer.next;
    }
  }

  render() {
    return html`
      <p class="crumbs"><a href="#/streams">Streams</a> ›</p>
      <div class="head"><h1>${this.params[1] ?? 'Stream'}</h1></div>
      ${facts([['Query id', html`<code>${this.params[0]}</code>`]])}
      ${this.trouble()}
      <section><h2>Lanes with state</h2>
        ${table('Lanes with state', [
          {label: 'Lane', cell: (l) => l.partition ?? l.partitionId},
          {label: 'Queue', cell: (l) => (l.queue ? queueLink(l.queue) : 'deleted')},
          {label: 'Keys', number: true, cell: (l) => atMost(l.keys)},
          {label: 'Changed', number: true, cell: (l) => ago(l.updatedAt)},
          {label: '', cell: (l) => html`<button type="button" class="small" @click=${() => this.#show(l)}>Show state</button>`},
        ], this.lanes, {empty: 'No cycle has run yet.'})}
        ${this.lanes ? pager({offset: this.offset, limit: LIMIT, shown: this.lanes.length}, (offset) => {
          this.offset = offset;
          this.live.refresh();
        }) : nothing}</section>
      ${this.lane ? html`<section><h2>State of ${this.lane.partition ?? this.lane.partitionId}</h2>
        ${table('State', [
          {label: 'Key', cell: (r) => html`<code>${r.key}</code>`},
          {label: 'Value', cell: (r) => html`<pre class="data">${pretty(r.value)}</pre>`},
          {label: 'Changed', number: true, cell: (r) => time(r.updated_at)},
        ], this.rows, {empty: 'There is no state in this lane.'})}
        ${this.next === undefined ? nothing : html`<button type="button" @click=${() => this.#show(this.lane, true)}>More</button>`}</section>` : nothing}`;
  }
}

customElements.define('page-streams', PageStreams);
customElements.define('page-stream', PageStream);
