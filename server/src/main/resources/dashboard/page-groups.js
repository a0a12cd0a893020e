/** All consumer groups, one row for each queue that a group reads. */
import {html, nothing} from 'lit';
import {get, query} from './api.js';
import {Live} from './live.js';
import {Page, badge, groupLink, pager, queueLink, searchBox, staleness, table} from './elements.js';
import {count, duration} from './format.js';

const LIMIT = 50;

class PageGroups extends Page {
  static properties = {answer: {state: true}, ask: {state: true}};

  constructor() {
    super();
    /** @type {any} */
    this.answer = null;
    const search = new URLSearchParams(location.hash.split('?')[1] ?? '').get('search') ?? '';
    this.ask = {search, sort: 'age', descending: true, offset: 0};
    this.live = new Live(this, [{every: 3000, run: (signal) => this.#load(signal)}]);
    document.title = 'Groups · Queen MQ';
  }

  /** @param {AbortSignal} signal */
  async #load(signal) {
    const asked = this.ask;
    const {search, sort, descending, offset} = asked;
    const answer = await get('/api/v1/dashboard/groups'
      + query({search, sort, order: descending ? 'desc' : 'asc', limit: LIMIT, offset}), signal);
    if (asked === this.ask) {
      this.answer = answer;
    }
  }

  /** @param {object} changed */
  #change(changed) {
    this.ask = {...this.ask, offset: 0, ...changed};
    this.live.refresh();
  }

  render() {
    const {answer, ask} = this;
    return html`
      <div class="head"><h1>Groups</h1>${staleness(answer?.groups[0]?.statsAge)}
        <div class="tools">${searchBox('Search by group or queue', ask.search, (search) => this.#change({search}))}</div></div>
      ${this.trouble()}
      ${table('Groups', [
        {label: 'Group', sort: 'name', cell: (g) => html`${groupLink(g.name, g.queue)} ${g.paused || g.queuePaused ? badge('warn', 'paused') : nothing}`},
        {label: 'Queue', cell: (g) => queueLink(g.queue)},
        {label: 'Lag', sort: 'lag', number: true, cell: (g) => count(g.lag)},
        {label: 'Oldest waiting', sort: 'age', number: true, cell: (g) => (g.lag ? html`<span class=${g.oldestSeconds > 300 ? 'warn' : ''}>${duration(g.oldestSeconds)}</span>` : '–')},
        {label: 'Lanes behind', number: true, cell: (g) => count(g.laggingPartitions)},
        {label: 'Leases', sort: 'leased', number: true, cell: (g) => count(g.leases)},
        {label: 'Starts with', cell: (g) => g.subscriptionMode ?? '–'},
      ], answer?.groups ?? null, {
        empty: ask.search ? `No group or queue has "${ask.search}" in its name.` : 'No consumer has come yet.',
        sort: ask.sort,
        descending: ask.descending,
        onSort: (sort, descending) => this.#change({sort, descending}),
      })}
      ${answer ? pager({offset: ask.offset, limit: LIMIT, shown: answer.groups.length, matched: answer.matched},
        (offset) => this.#change({offset})) : nothing}`;
  }
}

customElements.define('page-groups', PageGroups);
