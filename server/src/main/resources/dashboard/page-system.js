/** Brokers, the packets between them, background jobs, PostgreSQL, maintenance. */
import {html, nothing} from 'lit';
import {get, path, post} from './api.js';
import {Live} from './live.js';
import {ask, perform, progress} from './dialog.js';
import {Page, action, badge, facts, table, tile} from './elements.js';
import {ago, ahead, brief, count, duration, short, size, time} from './format.js';

/** What each job of upkeep does. @type {Record<string, string>} */
const JOBS = {
  retention: 'removes messages that are old enough',
  eviction: 'lets groups lose what waits for too long',
  partitions: 'removes lanes that are not used',
  orphans: 'removes what deleted queues left behind',
  traces: 'removes old traces',
  'dead-letters': 'removes old dead letters',
  history: 'removes old minutes of charts',
};

class PageSystem extends Page {
  static properties = {system: {state: true}, upkeep: {state: true}, postgres: {state: true}};

  constructor() {
    super();
    /** @type {any} */
    this.system = null;
    /** @type {any} */
    this.upkeep = null;
    /** @type {any} */
    this.postgres = null;
    this.live = new Live(this, [
      {every: 2000, run: async (signal) => (this.system = await get('/api/v1/dashboard/system', signal))},
      {every: 5000, run: async (signal) => (this.upkeep = await get('/api/v1/system/upkeep', signal))},
      {every: 10_000, run: async (signal) => (this.postgres = await get('/api/v1/analytics/postgres-stats', signal))},
    ]);
    document.title = 'System · Queen MQ';
  }

  render() {
    const s = this.system;
    return html`
      <div class="head"><h1>System</h1></div>
      ${this.trouble()}
      ${s ? html`${this.#brokers(s)}${this.#operations(s)}${this.#hints(s.sharedState)}${this.#maintenance(s)}` : html`<p class="loading">Loading…</p>`}
      ${this.#upkeepView()}
      ${this.postgres ? this.#postgresView(this.postgres) : nothing}`;
  }

  /** @param {any} s */
  #brokers(s) {
    return html`<section><h2>Brokers</h2>
      <div class="tiles">
        ${tile('Up', s.brokers ? count(s.brokers.living) : '–', {note: 'brokers on this database'})}
        ${tile('This broker', s.broker.name, {note: `version ${s.broker.version}`})}
        ${tile('Uptime', duration(s.broker.uptimeSeconds))}
        ${tile('Memory', size(s.broker.residentBytes), {note: `heap ${size(s.broker.heapUsedBytes)} of ${size(s.broker.heapMaxBytes)}`})}
        ${tile('Connections', `${count(s.broker.connections - s.broker.idleConnections)} / ${count(s.broker.connections)}`, {note: 'busy, to PostgreSQL'})}
        ${tile('Event loop', `${short(s.broker.loopDelayP99Ms)} ms`, {note: 'late, 99 of 100 times less'})}
      </div>
      ${table('Brokers', [
        {label: 'Broker', cell: (b) => b.name},
        {label: 'Host', cell: (b) => `${b.hostname}:${b.port}`},
        {label: 'State', cell: (b) => (b.alive ? badge('good', 'up') : badge('bad', 'gone'))},
        {label: 'Last wrote', number: true, cell: (b) => ago(b.seenAt)},
        {label: 'Pushed', number: true, cell: (b) => short(b.pushed)},
        {label: 'Popped', number: true, cell: (b) => short(b.popped)},
        {label: 'Acked', number: true, cell: (b) => short(b.acked)},
        {label: 'Failed', number: true, cell: (b) => short(b.failed)},
        {label: 'Database errors', number: true, cell: (b) => count(b.databaseErrors)},
      ], s.brokers?.list ?? [], {empty: 'Brokers write down what they do once a minute; none has yet.'})}</section>`;
  }

  /** @param {any} s */
  #operations(s) {
    return html`<section><h2>Operations of this broker</h2>
      <p class="hint">Since it started. A pop that waits counts its wait.</p>
      ${table('Operations', [
        {label: 'Operation', cell: (o) => o.name},
        {label: 'Requests', number: true, cell: (o) => short(o.requests)},
        {label: 'Items', number: true, cell: (o) => short(o.items)},
        {label: 'Calls of PostgreSQL', number: true, cell: (o) => short(o.calls)},
        {label: 'Failures', number: true, cell: (o) => (o.failures ? html`<span class="bad">${count(o.failures)}</span>` : '0')},
        {label: 'Pending', number: true, cell: (o) => count(o.pending)},
        {label: 'Half within', number: true, cell: (o) => millis(o.p50Ms)},
        {label: '99 % within', number: true, cell: (o) => millis(o.p99Ms)},
      ], s.operations)}</section>`;
  }

  /** @param {any} shared */
  #hints(shared) {
    const health = shared.server_health ?? {};
    const hints = shared.lease_hints ?? {};
    return html`<section><h2>Hints between brokers</h2>
      ${shared.enabled ? nothing : html`<p class="hint">This broker has no UDP peers. Nothing is lost by that; others are found through PostgreSQL.</p>`}
      ${facts([
        ['Peers alive', html`<span data-fact="peers">${count(health.servers_alive ?? 0)} of ${count(health.servers_tracked ?? 0)}</span>`],
        ['Heartbeats', count(health.heartbeats_received ?? 0)],
        ['Restarts seen', count(health.restarts_detected ?? 0)],
        ['Lease hints used', `${count(hints.hints_used ?? 0)}, ${Math.round((hints.accuracy ?? 1) * 100)} % right`],
        ['Queues with consumers elsewhere', count(shared.consumer_presence?.queues_tracked ?? 0)],
        ['Lanes remembered', count(shared.partition_id_cache?.size ?? 0)],
        ['Groups that wait', count(shared.group_backoff?.groups_tracked ?? 0)],
      ])}</section>`;
  }

  /** @param {any} s */
  #maintenance(s) {
    const {pushes, pops} = s.maintenance;
    return html`<section><h2>Maintenance</h2>
      <div class="switches">
        <div><strong>Pushes</strong> ${pushes ? badge('warn', 'to the spool') : badge('good', 'to PostgreSQL')}
          ${action('admin', pushes ? 'Store them again' : 'Send them to the spool', () => this.#switch('', !pushes), {danger: !pushes})}
          <p class="hint">While it is on, pushes are answered "buffered" and stay on the brokers' disks.</p></div>
        <div><strong>Pops</strong> ${pops ? badge('warn', 'find nothing') : badge('good', 'as usual')}
          ${action('admin', pops ? 'Let them go on' : 'Let them find nothing', () => this.#switch('/pop', !pops), {danger: !pops})}
          <p class="hint">While it is on, every queue looks empty to consumers.</p></div>
        <div><strong>Sums</strong> ${action('admin', 'Sum up now', () => this.#sumUp())}
          <p class="hint">Counts all lanes again, where there are too many to count them for each page.</p></div>
      </div></section>`;
  }

  /** @param {string} which @param {boolean} enabled */
  async #switch(which, enabled) {
    const what = which ? 'pops' : 'pushes';
    if (enabled && !await ask({
      title: which ? 'Let pops find nothing?' : 'Send pushes to the spool?',
      text: 'All brokers follow within a second, for all queues and clients.',
      hits: [['Queues', 'all'], ['Brokers', this.system.brokers ? count(this.system.brokers.living) : 'all'],
        ['Waiting polls here', count(this.system.broker.waitingPolls)]],
      action: 'Switch on',
      danger: true,
    })) {
      return;
    }
    await perform(() => post('/api/v1/system/maintenance' + which, {enabled}), () => `Maintenance of ${what} is ${enabled ? 'on' : 'off'}`);
    this.live.refresh();
  }

  async #sumUp() {
    await perform(() => progress('Summing up', () => post('/api/v1/stats/refresh?wait=true')),
      (done) => (done.skipped ? 'They are being summed up already' : 'Summed up'));
  }

  #upkeepView() {
    return html`<section><h2>Upkeep</h2>
      ${table('Upkeep', [
        {label: 'Job', cell: (j) => html`<strong>${j.job}</strong> <small>${JOBS[j.job] ?? ''}</small>`},
        {label: 'State', cell: (j) => (j.running ? badge('warn', 'running') : badge('', 'idle'))},
        {label: 'Next', number: true, cell: (j) => ahead(j.nextDueAt)},
        {label: 'Last run', number: true, cell: (j) => (j.runs[0] ? html`<span title=${time(j.runs[0].startedAt)}>${ago(j.runs[0].startedAt)}</span>` : 'never')},
        {label: 'Took', number: true, cell: (j) => (j.runs[0] ? millis(j.runs[0].tookMs) : '–')},
        {label: 'Removed', number: true, cell: (j) => (j.runs[0] ? count(j.runs[0].removed) : '–')},
        {label: 'Trouble', cell: (j) => (j.runs[0]?.error ? html`<span class="bad">${j.runs[0].error}</span>` : '–')},
        {label: '', cell: (j) => action('admin', 'Run now', () => this.#run(j.job), {small: true, disabled: Boolean(j.running)})},
      ], this.upkeep?.jobs ?? null)}</section>`;
  }

  /** @param {string} job */
  async #run(job) {
    await perform(() => progress(`Running ${job}`, async (report, stopped) => {
      const started = await post(path`/api/v1/system/upkeep/${job}/run` + '?wait=2000');
      let state = started;
      // It goes on at a broker; the page only looks.
      while (state.state === 'running' && !stopped()) {
        await new Promise((resolve) => setTimeout(resolve, 1000));
        this.upkeep = await get('/api/v1/system/upkeep');
        const found = this.upkeep.jobs.find((/** @type {any} */ each) => each.job === job);
        state = found?.running ? state : {state: 'done', removed: found?.runs[0]?.removed ?? 0};
      }
      return state;
    }), (state) => (state.state === 'running' ? `${job} goes on in the background` : `${job}: ${count(state.removed)} removed`));
    this.live.refresh();
  }

  /** @param {any} p */
  #postgresView(p) {
    const tables = p.tableSizes.slice(0, 8);
    return html`<section><h2>PostgreSQL</h2>
      ${facts([
        ['Database', p.database],
        ['Cache hits', p.databaseCache?.cacheHitRatio === null ? '–' : `${p.databaseCache?.cacheHitRatio} %`],
        ['Shared buffers', p.bufferConfig?.sharedBuffersSize ?? '–'],
        ['Our tables', size(p.tableSizes.reduce((/** @type {number} */ sum, /** @type {any} */ t) => sum + t.totalSizeBytes, 0))],
      ])}
      <h3>Statements under way</h3>
      ${table('Statements under way', [
        {label: 'For', number: true, cell: (q) => millis(q.duration * 1000)},
        {label: 'State', cell: (q) => q.state},
        {label: 'Waits for', cell: (q) => q.waitEvent ?? '–'},
        {label: 'Statement', cell: (q) => html`<code>${brief(q.query, 140)}</code>`},
      ], p.activeQueries, {empty: 'None at this moment.'})}
      <h3>Largest tables</h3>
      ${table('Largest tables', [
        {label: 'Table', cell: (t) => t.table},
        {label: 'Size', number: true, cell: (t) => size(t.totalSizeBytes)},
        {label: 'Indexes', number: true, cell: (t) => size(t.indexSizeBytes)},
        {label: 'Dead rows', number: true, cell: (t) => short(p.deadTuples.find((/** @type {any} */ d) => d.table === t.table)?.deadTuples ?? 0)},
      ], tables)}</section>`;
  }
}

/** @param {number|null|undefined} ms */
function millis(ms) {
  if (ms === null || ms === undefined) {
    return '–';
  }
  return ms < 10_000 ? `${ms < 10 ? Math.round(ms * 10) / 10 : count(ms)} ms` : duration(ms / 1000);
}

customElements.define('page-system', PageSystem);
