/** One consumer group and one queue: how far it is, who works on what, and moving it. */
import {html, nothing} from 'lit';
import {get, isLimited, path, post, query, remove} from './api.js';
import {Live} from './live.js';
import {ask, perform, progress} from './dialog.js';
import {Page, action, badge, pager, queueLink, table, tile} from './elements.js';
import {age, ago, ahead, count, duration, groupName, plural, short, time} from './format.js';

const LIMIT = 25;

class PageGroup extends Page {
  static properties = {
    group: {state: true}, lagging: {state: true}, leases: {state: true}, missing: {state: true},
    laneOffset: {state: true}, leaseOffset: {state: true},
  };

  constructor() {
    super();
    /** @type {any} */
    this.group = null;
    /** @type {any} */
    this.lagging = null;
    /** @type {any} */
    this.leases = null;
    this.missing = false;
    this.laneOffset = 0;
    this.leaseOffset = 0;
    this.live = new Live(this, [
      {every: 3000, run: (signal) => this.#loadGroup(signal)},
      {every: 3000, run: (signal) => this.#loadLeases(signal)},
      {every: 5000, run: (signal) => this.#loadLagging(signal)},
    ]);
    document.title = 'Group · Queen MQ';
  }

  get name() {
    return this.params[0];
  }

  get queue() {
    return this.params[1];
  }

  /** @param {AbortSignal} signal */
  async #loadGroup(signal) {
    const answer = await get('/api/v1/dashboard/groups' + query({queue: this.queue, consumerGroup: this.name, limit: 1}), signal);
    this.group = answer.groups[0] ?? null;
    this.missing = !this.group;
  }

  /** @param {AbortSignal} signal */
  async #loadLeases(signal) {
    this.leases = (await get('/api/v1/leases'
      + query({queue: this.queue, consumerGroup: this.name, limit: LIMIT, offset: this.leaseOffset}), signal)).leases;
  }

  /** @param {AbortSignal} signal */
  async #loadLagging(signal) {
    this.lagging = (await get('/api/v1/dashboard/lagging'
      + query({queue: this.queue, consumerGroup: this.name, limit: LIMIT, offset: this.laneOffset}), signal)).lanes;
  }

  render() {
    const g = this.group;
    return html`
      <p class="crumbs">${isLimited() ? nothing : html`<a href="#/groups">Groups</a> ›`} ${queueLink(this.queue)} ›</p>
      <div class="head"><h1>${groupName(this.name)} <small>on ${this.queue}</small></h1>
        ${g?.paused ? badge('warn', 'paused') : nothing}${g?.queuePaused ? badge('warn', 'queue paused') : nothing}
        <div class="tools">${g ? this.#actions(g) : nothing}</div></div>
      ${this.trouble()}
      ${this.missing ? html`<p class="trouble">This group has neither read nor subscribed to the queue.</p>` : nothing}
      ${g ? this.#view(g) : nothing}`;
  }

  /** @param {any} g */
  #actions(g) {
    return html`
      ${g.paused ? action('write', 'Resume', () => this.#pause(false)) : action('write', 'Pause', () => this.#pause(true))}
      ${action('write', 'Seek', () => this.#seek(g))}
      ${action('admin', 'Delete', () => this.#delete(g), {danger: true})}`;
  }

  /** @param {any} g */
  #view(g) {
    return html`
      <section class="tiles" aria-label="Now">
        ${tile('Lag', short(g.lag), {note: 'messages to do'})}
        ${tile('Oldest waiting', g.lag ? duration(g.oldestSeconds) : 'none', {state: g.lag && g.oldestSeconds > 300 ? 'warn' : ''})}
        ${tile('Lanes behind', short(g.laggingPartitions), {note: `${count(g.partitions)} begun`})}
        ${tile('Leases', short(g.leases), {note: 'lanes in work'})}
        ${tile('Starts with', g.subscriptionMode ?? '–', {note: g.subscriptionTimestamp ? time(g.subscriptionTimestamp) : 'in new lanes'})}
      </section>
      <section><h2>Who holds which lease</h2>
        ${table('Leases', [
          {label: 'Lane', cell: (l) => l.partition},
          {label: 'Messages', number: true, cell: (l) => `${count(l.done)} of ${count(l.messages)} done`},
          {label: 'Since', number: true, cell: (l) => html`<span title=${time(l.since)}>${ago(l.since)}</span>`},
          {label: 'Until', number: true, cell: (l) => html`<span title=${time(l.until)}>${ahead(l.until)}</span>`},
          {label: 'Client', cell: (l) => l.address ?? '–'},
          {label: 'Token', cell: (l) => l.subject ?? '–'},
          {label: 'Broker', cell: (l) => l.broker ?? '–'},
          {label: '', cell: (l) => action('write', 'Release', () => this.#release(l), {small: true, danger: true})},
        ], this.leases, {empty: 'No consumer holds a lease now.'})}
        ${this.leases ? pager({offset: this.leaseOffset, limit: LIMIT, shown: this.leases.length}, (offset) => {
          this.leaseOffset = offset;
          this.live.refresh();
        }) : nothing}</section>
      <section><h2>Lanes behind</h2>
        ${table('Lanes behind', [
          {label: 'Lane', cell: (l) => l.partition},
          {label: 'Lag', number: true, cell: (l) => count(l.lag)},
          {label: 'Oldest', number: true, cell: (l) => duration(age(l.oldestAt))},
          {label: 'Last answer', number: true, cell: (l) => ago(l.lastConsumedAt)},
          {label: 'Lease', cell: (l) => (l.leaseId ? badge('good', 'held') : 'free')},
          {label: '', cell: (l) => action('write', 'Skip to the end', () => this.#skip(l), {small: true, danger: true})},
        ], this.lagging, {empty: 'The group is not behind anywhere.'})}
        ${this.lagging ? pager({offset: this.laneOffset, limit: LIMIT, shown: this.lagging.length}, (offset) => {
          this.laneOffset = offset;
          this.live.refresh();
        }) : nothing}</section>`;
  }

  #path() {
    return path`/api/v1/consumer-groups/${this.name}/queues/${this.queue}`;
  }

  /** @param {boolean} on */
  async #pause(on) {
    if (on && !await ask({
      title: `Pause ${groupName(this.name)} on ${this.queue}?`,
      text: 'Its consumers get nothing of this queue until you resume. What they hold they may finish.',
      hits: [['Lag', plural(this.group.lag, 'message')], ['Leases', count(this.group.leases)]],
      action: 'Pause',
    })) {
      return;
    }
    await perform(() => post(this.#path() + (on ? '/pause' : '/resume')), () => (on ? 'The group is paused' : 'The group goes on'));
    this.live.refresh();
  }

  /** @param {any} g */
  async #seek(g) {
    const values = await ask({
      title: `Move ${groupName(this.name)} on ${this.queue}`,
      text: 'In every lane of the queue. Leases of the group end, and failures that were counted are forgotten.',
      hits: [['Lag now', plural(g.lag, 'message')], ['Lanes', count(g.partitions)], ['Leases that end', count(g.leases)]],
      action: 'Seek',
      danger: true,
      fields: [
        {name: 'to', label: 'Where to', type: 'select', choices: [
          ['end', 'The end: skip everything that waits'], ['beginning', 'The beginning: everything that is stored again'],
          ['time', 'A time: what was pushed after it']]},
        {name: 'time', label: 'Time (for the third choice, your time zone)', type: 'datetime-local'},
      ],
      check: ({to, time: at}) => (to === 'time' && !at ? 'Choose a time' : ''),
    });
    if (!values) {
      return;
    }
    const body = values.to === 'end' ? {toEnd: true}
      : {timestamp: values.to === 'beginning' ? '1970-01-01T00:00:00Z' : new Date(values.time).toISOString()};
    await perform(
      () => progress(`Moving ${groupName(this.name)}`, () => post(this.#path() + '/seek', body)),
      (done) => `Moved in ${plural(done.partitionsUpdated, 'lane')}`);
    this.live.refresh();
  }

  /** @param {any} lane */
  async #skip(lane) {
    if (await ask({
      title: `Skip what waits in ${lane.partition}?`,
      text: 'The group goes on behind the newest message of this lane.',
      hits: [['Messages that are skipped', count(lane.lag)], ['Oldest of them', duration(age(lane.oldestAt))]],
      action: 'Skip',
      danger: true,
    })) {
      await perform(() => post(this.#path() + path`/partitions/${lane.partition}/seek`, {toEnd: true}), () => `${lane.partition} skipped`);
      this.live.refresh();
    }
  }

  /** @param {any} lease */
  async #release(lease) {
    if (await ask({
      title: `Release the lease on ${lease.partition}?`,
      text: 'As if its time were over: its messages can be delivered again at once, and an ack with it changes nothing.',
      hits: [['Held by', lease.address ?? '–'], ['Since', time(lease.since)], ['Messages not done', count(lease.messages - lease.done)]],
      action: 'Release',
      danger: true,
    })) {
      await perform(() => remove(path`/api/v1/lease/${lease.leaseId}`), (done) => `Lease released on ${plural(done.partitions, 'lane')}`);
      this.live.refresh();
    }
  }

  /** @param {any} g */
  async #delete(g) {
    const values = await ask({
      title: `Delete ${groupName(this.name)}?`,
      text: 'How far it is is forgotten, and its leases end. A consumer that comes again starts as a new group. Dead letters stay.',
      hits: [['Queue', this.queue], ['Lag', plural(g.lag, 'message')], ['Lanes begun', count(g.partitions)], ['Leases that end', count(g.leases)]],
      action: 'Delete the group',
      danger: true,
      fields: isLimited() ? [] : [{name: 'where', label: 'Where', type: 'select',
        choices: [['here', `On ${this.queue} only`], ['everywhere', 'On every queue that it reads']]}],
    });
    if (values) {
      const target = values.where === 'everywhere' ? path`/api/v1/consumer-groups/${this.name}` : this.#path();
      const done = await this.live.end(() => perform(() => remove(target), (gone) => (gone.deleted ? 'The group is deleted' : gone.message)));
      if (done) {
        location.hash = isLimited() ? `#/queues/${encodeURIComponent(this.queue)}` : '#/groups';
      }
    }
  }
}

customElements.define('page-group', PageGroup);
