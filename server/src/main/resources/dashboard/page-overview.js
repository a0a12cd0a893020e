/** The state of everything on one page, in one request. */
import {html, nothing} from 'lit';
import {get, query} from './api.js';
import {Live} from './live.js';
import {seriesOf} from './chart.js';
import {Page, badge, groupLink, queueLink, staleness, table, tile} from './elements.js';
import {count, duration, plural, rate, short, size} from './format.js';

const RANGES = [['1 hour', 60], ['6 hours', 360], ['24 hours', 1440], ['7 days', 10_080]];

/** Rates are those of this many seconds. */
const WINDOW = 12;

/** With this many minutes without being read, a message is late. */
const LATE_SECONDS = 300;

class PageOverview extends Page {
  static properties = {view: {state: true}, history: {state: true}, minutes: {state: true}, rates: {state: true}};

  constructor() {
    super();
    /** @type {any} */
    this.view = null;
    /** @type {any} */
    this.history = null;
    this.minutes = 60;
    /** @type {{in: number|null, out: number|null}} */
    this.rates = {in: null, out: null};
    /** @type {{at: number, total: number, completed: number}[]} */
    this.samples = [];
    this.live = new Live(this, [
      {every: 3000, run: (signal) => this.#load(signal)},
    ]);
    this.historyDue = 0;
    document.title = 'Overview · Queen MQ';
  }

  /** @param {AbortSignal} signal */
  async #load(signal) {
    // The history changes once a minute; most requests leave it out.
    const withHistory = Date.now() >= this.historyDue;
    const answer = await get('/api/v1/dashboard/overview' + query({minutes: withHistory ? this.minutes : null}), signal);
    if (withHistory && answer.history) {
      this.history = answer.history;
      this.historyDue = Date.now() + (answer.history.points.length ? 20_000 : 3000);
    }
    this.view = answer;
    this.#measure(answer.store);
  }

  /** What came and went between two looks. @param {any} store */
  #measure(store) {
    if (!store) {
      this.samples = [];
      this.rates = {in: null, out: null};
      return;
    }
    const sample = {at: Date.parse(store.at) / 1000 - store.statsAge, total: store.total, completed: store.completed};
    const last = this.samples.at(-1);
    if (last && sample.at - last.at < 0.5) {
      return;
    }
    this.samples = [...this.samples.filter((each) => sample.at - each.at <= WINDOW || each === last), sample];
    const first = this.samples[0];
    if (this.samples.length > 1) {
      const seconds = sample.at - first.at;
      this.rates = {
        in: Math.max(0, (sample.total - first.total) / seconds),
        out: Math.max(0, (sample.completed - first.completed) / seconds),
      };
    }
  }

  /** @param {number} minutes */
  #range(minutes) {
    this.minutes = minutes;
    this.historyDue = 0;
    this.live.refresh();
  }

  render() {
    const view = this.view;
    return html`
      <div class="head"><h1>Overview</h1>${staleness(view?.store?.statsAge)}</div>
      ${this.trouble()}
      ${view ? html`${this.#warnings(view)}${this.#tiles(view)}` : html`<p class="loading">Loading…</p>`}
      ${this.#charts()}
      ${view?.store ? this.#lists(view.store) : nothing}`;
  }

  /** @param {any} view */
  #warnings(view) {
    const said = [];
    if (!view.postgres.reachable) {
      said.push(['bad', `PostgreSQL does not answer: ${view.postgres.error}. Pushes go to the spool, pops wait.`]);
    } else if (view.postgres.durable === false) {
      said.push(['bad', 'PostgreSQL runs with settings that can lose commits in a crash.']);
    }
    if (view.maintenance.pushes) {
      said.push(['warn', 'Maintenance: pushes go to the spool and stay there.']);
    }
    if (view.maintenance.pops) {
      said.push(['warn', 'Maintenance: pops find nothing.']);
    }
    return said.map(([kind, text]) => html`<p class="banner ${kind}" role="status">${text}</p>`);
  }

  /** @param {any} view */
  #tiles({store, broker, postgres, spool, cluster}) {
    const brokers = store?.brokers.living ?? null;
    return html`<section class="tiles" aria-label="Now">
      ${tile('In', html`${rate(this.rates.in)}<small>/s</small>`, {note: 'messages pushed'})}
      ${tile('Out', html`${rate(this.rates.out)}<small>/s</small>`, {note: 'messages done'})}
      ${tile('Backlog', short(store?.pending), {note: store ? plural(store.queues, 'queue') + ', ' + plural(store.partitions, 'lane') : '',
        href: '#/queues'})}
      ${tile('Oldest waiting', store ? (store.pending ? duration(store.oldestSeconds) : 'none') : '–',
        {state: store?.pending && store.oldestSeconds > LATE_SECONDS ? 'warn' : '', note: 'since it was pushed', href: '#/groups'})}
      ${tile('In progress', short(store?.processing), {note: store ? plural(store.leases, 'lease') : ''})}
      ${tile('Failing', short(store?.failed), {note: 'to be tried again', state: store?.failed ? 'warn' : ''})}
      ${tile('Dead letters', short(store?.deadLetters), {state: store?.deadLetters ? 'bad' : '', href: '#/dead-letters',
        note: 'given up'})}
      ${tile('Waiting polls', short(broker.waitingPolls), {note: 'at this broker'})}
      ${tile('Brokers', brokers === null ? '–' : count(brokers), {href: '#/system',
        note: cluster.enabled ? html`UDP: ${count(cluster.alive)} of ${plural(cluster.tracked, 'peer')} alive` : 'no UDP peers',
        state: cluster.enabled && cluster.alive < cluster.tracked ? 'warn' : ''})}
      ${tile('PostgreSQL', postgres.reachable ? 'up' : 'away', {state: postgres.reachable ? 'good' : 'bad',
        note: `${count(broker.connections - broker.idleConnections)} of ${count(broker.connections)} lines busy`})}
      ${tile('Spool', spool.present ? short(spool.pending) : 'off', {
        note: spool.present ? `${size(spool.bytes)} of ${size(spool.maxBytes)}` : 'no disk buffer',
        state: spool.present && (spool.pending > 0 || !spool.healthy) ? 'warn' : ''})}
      ${tile('Errors', short(broker.databaseErrors), {note: 'database errors here', state: broker.databaseErrors ? 'warn' : ''})}
    </section>`;
  }

  #charts() {
    const traffic = seriesOf(this.history, [(p, s) => p.pushed / s, (p, s) => p.done / s]);
    const trouble = seriesOf(this.history, [(p) => p.failed, (p) => p.deadLetters]);
    const lag = seriesOf(this.history, [(p) => p.lagMs, (p) => p.maxLagMs]);
    return html`<section aria-label="History">
      <div class="head"><h2>History</h2>
        <div class="choices" role="group" aria-label="Range">${RANGES.map(([label, minutes]) => html`
          <button type="button" class="small" aria-pressed=${this.minutes === minutes} @click=${() => this.#range(Number(minutes))}>${label}</button>`)}</div>
      </div>
      <div class="charts">
        <figure><figcaption>Messages per second</figcaption>
          <queen-chart label="Messages per second" unit="/s" .times=${traffic.times} .values=${traffic.values} .series=${TRAFFIC}></queen-chart></figure>
        <figure><figcaption>From push to pop, milliseconds</figcaption>
          <queen-chart label="Delivery" unit=" ms" .times=${lag.times} .values=${lag.values} .series=${LAG}></queen-chart></figure>
        <figure><figcaption>Failures</figcaption>
          <queen-chart label="Failures" unit="" .times=${trouble.times} .values=${trouble.values} .series=${TROUBLE}></queen-chart></figure>
      </div></section>`;
  }

  /** @param {any} store */
  #lists(store) {
    return html`<div class="columns">
      <section><h2>Largest backlogs</h2>
        ${table('Largest backlogs', [
          {label: 'Queue', cell: (q) => html`${queueLink(q.name)} ${q.paused ? badge('warn', 'paused') : nothing}`},
          {label: 'Lanes', number: true, cell: (q) => count(q.partitions)},
          {label: 'Backlog', number: true, cell: (q) => count(q.pending)},
          {label: 'In / min', number: true, cell: (q) => short(q.pushedLastMinute)},
          {label: 'Out / min', number: true, cell: (q) => short(q.poppedLastMinute)},
        ], store.topQueues, {empty: 'There are no queues yet. Push a message and one is made.'})}</section>
      <section><h2>Groups furthest behind</h2>
        ${table('Groups furthest behind', [
          {label: 'Group', cell: (g) => html`${groupLink(g.name, g.queue)} ${g.paused || g.queuePaused ? badge('warn', 'paused') : nothing}`},
          {label: 'Queue', cell: (g) => queueLink(g.queue)},
          {label: 'Lag', number: true, cell: (g) => count(g.lag)},
          {label: 'Oldest', number: true, cell: (g) => (g.lag ? duration(g.oldestSeconds) : '–')},
        ], store.topGroups, {empty: 'No consumer has come yet.'})}</section>
    </div>`;
  }
}

const TRAFFIC = [{label: 'In', color: '--in', fill: true}, {label: 'Out', color: '--out'}];
const LAG = [{label: 'Mean', color: '--in'}, {label: 'Worst', color: '--warn'}];
const TROUBLE = [{label: 'Failed', color: '--warn'}, {label: 'Dead letters', color: '--bad'}];

customElements.define('page-overview', PageOverview);
