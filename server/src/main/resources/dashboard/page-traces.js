/** What consumers noted about messages, by name. */
import {html, nothing} from 'lit';
import {get, getExactly, isLimited, path, query} from './api.js';
import {Live} from './live.js';
import {Page, link, pager, queueLink, table} from './elements.js';
import {ago, brief, count, groupName, pretty, time} from './format.js';

const LIMIT = 50;

class PageTraces extends Page {
  static properties = {answer: {state: true}, offset: {state: true}};

  constructor() {
    super();
    /** @type {any} */
    this.answer = null;
    this.offset = 0;
    if (!isLimited()) {
      this.live = new Live(this, [{every: 5000, run: async (signal) => {
        this.answer = await get('/api/v1/traces/names' + query({limit: LIMIT, offset: this.offset}), signal);
      }}]);
    }
    document.title = 'Traces · Queen MQ';
  }

  render() {
    const open = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
      const name = String(given.get('name') ?? '').trim();
      if (name) {
        location.hash = link(['traces', name], {queue: String(given.get('queue') ?? '').trim()});
      }
    };
    return html`
      <div class="head"><h1>Traces</h1></div>
      <p class="hint">Consumers note what they do with messages, under names of their own: an order, a customer, a request.</p>
      <form class="row" @submit=${open}>
        <input type="search" name="name" placeholder="Name of a trace" aria-label="Name of a trace">
        ${isLimited() ? html`<input name="queue" placeholder="Queue" aria-label="Queue" required>` : nothing}
        <button type="submit" class="primary">Open</button></form>
      ${this.trouble()}
      ${isLimited() ? html`<p>Names are not listed for tokens of some queues. Say the name and the queue.</p>` : html`
        ${table('Names', [
          {label: 'Name', cell: (t) => html`<a class="name" href=${link(['traces', t.trace_name])}>${t.trace_name}</a>`},
          {label: 'Traces', number: true, cell: (t) => count(t.trace_count)},
          {label: 'Messages', number: true, cell: (t) => count(t.message_count)},
          {label: 'Last', number: true, cell: (t) => ago(t.last_seen)},
        ], this.answer?.trace_names ?? null, {empty: 'Nothing was noted yet.'})}
        ${this.answer ? pager({offset: this.offset, limit: LIMIT, shown: this.answer.trace_names.length, matched: this.answer.total}, (offset) => {
          this.offset = offset;
          this.live?.refresh();
        }) : nothing}`}`;
  }
}

class PageTrace extends Page {
  static properties = {search: {attribute: false}, answer: {state: true}, offset: {state: true}};

  constructor() {
    super();
    this.search = new URLSearchParams();
    /** @type {any} */
    this.answer = null;
    this.offset = 0;
    this.live = new Live(this, [{every: 5000, run: async (signal) => {
      this.answer = await getExactly(path`/api/v1/traces/by-name/${this.params[0]}`
        + query({queue: this.search.get('queue'), limit: LIMIT, offset: this.offset}), signal);
    }}]);
    document.title = 'Trace · Queen MQ';
  }

  render() {
    return html`
      <p class="crumbs"><a href="#/traces">Traces</a> ›</p>
      <div class="head"><h1>${this.params[0]}</h1></div>
      ${this.trouble()}
      ${table('Traces', [
        {label: 'When', cell: (t) => time(t.created_at)},
        {label: 'Kind', cell: (t) => t.event_type},
        {label: 'Message', cell: (t) => html`<a class="name" href=${link(['messages', t.partition_id, t.transaction_id])}>${t.transaction_id}</a>`},
        {label: 'Queue', cell: (t) => html`${queueLink(t.queue_name)} <small>${t.partition_name}</small>`},
        {label: 'Group', cell: (t) => groupName(t.consumer_group)},
        {label: 'Data', cell: (t) => html`<pre class="data">${pretty(t.data)}</pre>`},
        {label: 'Payload', cell: (t) => html`<code>${brief(t.message_payload, 80)}</code>`},
      ], this.answer?.traces ?? null, {empty: 'Nothing has this name.'})}
      ${this.answer?.truncated ? html`<p class="hint">The oldest 20,000 traces of this name are looked at; there are more.</p>` : nothing}
      ${this.answer ? pager({offset: this.offset, limit: LIMIT, shown: this.answer.traces.length, matched: this.answer.total}, (offset) => {
        this.offset = offset;
        this.live.refresh();
      }) : nothing}`;
  }
}

customElements.define('page-traces', PageTraces);
customElements.define('page-trace', PageTrace);
