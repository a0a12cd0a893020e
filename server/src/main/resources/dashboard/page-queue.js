/** One queue: its lanes and groups, its messages, its options. */
import {html, nothing} from 'lit';
import {exactly, get, may, path, post, query, remove} from './api.js';
import {Live} from './live.js';
import {seriesOf} from './chart.js';
import {ask, perform} from './dialog.js';
import {Page, action, badge, groupLink, link, pager, searchBox, staleness, table, tile} from './elements.js';
import {age, ago, count, duration, groupName, plural, short, time} from './format.js';
import {OPTIONS} from './options.js';

const LIMIT = 50;
const TABS = [['lanes', 'Lanes and groups'], ['messages', 'Messages'], ['options', 'Options']];
const SPANS = [['last hour', 3600], ['last day', 86_400], ['last 30 days', 2_592_000], ['any time', 0]];
const STATUSES = [['', 'any status'], ['pending', 'pending'], ['processing', 'processing'], ['completed', 'completed'], ['dead_letter', 'dead letter']];
const TRAFFIC = [{label: 'In', color: '--in', fill: true}, {label: 'Out', color: '--out'}];

class PageQueue extends Page {
  static properties = {
    queue: {state: true},
    lanes: {state: true},
    lagging: {state: true},
    history: {state: true},
    messages: {state: true},
    laneAsk: {state: true},
    messageAsk: {state: true},
    edited: {state: true},
    missing: {state: true},
  };

  constructor() {
    super();
    /** @type {any} */
    this.queue = null;
    /** @type {any} */
    this.lanes = null;
    /** @type {any} */
    this.lagging = null;
    /** @type {any} */
    this.history = null;
    /** @type {any} */
    this.messages = null;
    this.laneAsk = {search: '', offset: 0};
    this.messageAsk = {partition: '', status: '', span: 3600, offset: 0};
    /** @type {Record<string, any>|null} options that were changed in the form */
    this.edited = null;
    this.missing = false;
    this.live = new Live(this, [
      {every: 2000, run: (signal) => this.#loadQueue(signal)},
      {every: 4000, run: (signal) => this.#loadTab(signal)},
      {every: 6000, run: (signal) => this.#loadLagging(signal)},
      {every: 30_000, run: (signal) => this.#loadHistory(signal)},
    ]);
  }

  get name() {
    return this.params[0];
  }

  get tab() {
    return this.params[1] ?? 'lanes';
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('params')) {
      document.title = `${this.name} · Queen MQ`;
      if (changed.get('params')) {
        this.live.refresh();
      }
    }
  }

  /** @param {AbortSignal} signal */
  async #loadQueue(signal) {
    try {
      this.queue = await get(path`/api/v1/dashboard/queues/${this.name}`, signal);
      this.missing = false;
    } catch (e) {
      if (/** @type {any} */ (e).status === 404) {
        this.missing = true;
        return;
      }
      throw e;
    }
  }

  /** @param {AbortSignal} signal */
  async #loadTab(signal) {
    if (this.missing) {
      return;
    }
    if (this.tab === 'lanes') {
      const asked = this.laneAsk;
      const lanes = await get(path`/api/v1/dashboard/queues/${this.name}/lanes` + query({...asked, limit: LIMIT}), signal);
      this.lanes = asked === this.laneAsk ? lanes : this.lanes;
    } else if (this.tab === 'messages') {
      const asked = this.messageAsk;
      const {partition, status, span, offset} = asked;
      const from = span ? new Date(Date.now() - span * 1000).toISOString() : '2000-01-01T00:00:00Z';
      const messages = await get('/api/v1/messages' + query({queue: this.name, partition, status, from, limit: LIMIT, offset}), signal);
      this.messages = asked === this.messageAsk ? messages : this.messages;
    }
  }

  /** @param {AbortSignal} signal */
  async #loadLagging(signal) {
    if (this.tab === 'lanes' && !this.missing) {
      this.lagging = (await get('/api/v1/dashboard/lagging' + query({queue: this.name, limit: 10}), signal)).lanes;
    }
  }

  /** @param {AbortSignal} signal */
  async #loadHistory(signal) {
    if (this.tab === 'lanes' && !this.missing) {
      this.history = await get('/api/v1/dashboard/history' + query({queue: this.name, minutes: 60}), signal);
    }
  }

  render() {
    if (this.missing) {
      return html`<div class="head"><h1>${this.name}</h1></div>
        <p class="trouble">There is no queue of this name. It may have been deleted.</p>
        <p><a href="#/queues">All queues</a></p>`;
    }
    const queue = this.queue;
    return html`
      <p class="crumbs"><a href="#/queues">Queues</a> ›</p>
      <div class="head"><h1>${this.name}</h1>
        ${queue?.paused ? badge('warn', 'paused') : nothing} ${staleness(queue?.statsAge)}
        <div class="tools">${queue ? this.#actions(queue) : nothing}</div></div>
      ${this.trouble()}
      ${queue ? this.#tiles(queue) : html`<p class="loading">Loading…</p>`}
      <nav class="tabs" aria-label="About this queue">${TABS.map(([name, label]) => html`
        <a href=${link(name === 'lanes' ? ['queues', this.name] : ['queues', this.name, name])}
          aria-current=${this.tab === name ? 'page' : nothing}>${label}</a>`)}</nav>
      ${this.tab === 'messages' ? this.#messagesView() : this.tab === 'options' ? this.#optionsView() : this.#lanesView()}`;
  }

  /** @param {any} queue */
  #tiles(queue) {
    return html`<section class="tiles" aria-label="Now">
      ${tile('Backlog', short(queue.pending))}
      ${tile('In progress', short(queue.processing))}
      ${tile('Dead letters', short(queue.deadLetters), {state: queue.deadLetters ? 'bad' : '', href: link(['dead-letters', queue.name])})}
      ${tile('Lanes', short(queue.partitions))}
      ${tile('Groups', count(queue.groupCount))}
      ${tile('In', short(queue.pushedLastMinute), {note: 'last minute'})}
      ${tile('Out', short(queue.poppedLastMinute), {note: 'last minute'})}
      ${tile('Ever pushed', short(queue.total), {note: `in ${duration(age(queue.createdAt))}`})}
    </section>`;
  }

  /** @param {any} queue */
  #actions(queue) {
    return html`
      ${action('produce', 'Push a message', () => this.#push())}
      ${queue.paused
        ? action('write', 'Resume', () => this.#pause(false))
        : action('write', 'Pause', () => this.#pause(true))}
      ${action('admin', 'Clear', () => this.#clear(), {danger: true})}
      ${action('admin', 'Delete', () => this.#delete(), {danger: true})}`;
  }

  async #push() {
    const values = await ask({
      title: `Push a message to ${this.name}`,
      action: 'Push',
      fields: [
        {name: 'partition', label: 'Lane', value: 'Default', hint: 'Messages of a lane keep their order.'},
        {name: 'transactionId', label: 'Transaction id', hint: 'Empty: a random one. A second push with the same one is a duplicate.'},
        {name: 'payload', label: 'Payload (JSON)', type: 'textarea', value: '{\n  "hello": "world"\n}'},
      ],
      check: ({partition, payload}) => (partition ? jsonProblem(payload) : 'The lane needs a name'),
    });
    if (!values) {
      return;
    }
    await perform(async () => {
      const [result] = await post('/api/v1/push', {items: [{
        queue: this.name,
        partition: values.partition,
        payload: exactly(values.payload),
        ...(values.transactionId ? {transactionId: values.transactionId} : {}),
      }]});
      if (result.status === 'failed') {
        throw new Error(result.error);
      }
      return result;
    }, (result) => (result.status === 'duplicate' ? 'A message with this transaction id is there already' : `Message ${result.status}`));
    this.live.refresh();
  }

  /** @param {boolean} on */
  async #pause(on) {
    const queue = this.queue;
    if (on && !await ask({
      title: `Pause ${this.name}?`,
      text: 'No group gets messages of this queue until you resume it. Pushes and acks go on, and leases stay valid.',
      hits: [['Groups that get nothing', count(queue.groupCount)], ['Backlog', plural(queue.pending, 'message')]],
      action: 'Pause',
    })) {
      return;
    }
    await perform(() => post(path`/api/v1/resources/queues/${this.name}` + (on ? '/pause' : '/resume')),
      () => (on ? `${this.name} is paused` : `${this.name} goes on`));
    this.live.refresh();
  }

  async #clear() {
    const queue = this.queue;
    if (await ask({
      title: `Remove all messages of ${this.name}?`,
      text: 'They are gone for every group. Groups, options and dead letters stay. This cannot be undone.',
      hits: [['Backlog', plural(queue.pending, 'message')], ['Lanes', count(queue.partitions)], ['In progress', count(queue.processing)]],
      action: 'Clear',
      danger: true,
      expect: this.name,
    })) {
      await perform(() => remove(path`/api/v1/queues/${this.name}/clear`), (done) => `${plural(done.deletedMessages, 'message')} removed`);
      this.live.refresh();
    }
  }

  async #delete() {
    const queue = this.queue;
    if (await ask({
      title: `Delete ${this.name}?`,
      text: 'The queue goes with its messages, its dead letters, its options and what groups have read. This cannot be undone.',
      hits: [
        ['Messages not done', count(queue.pending)],
        ['Dead letters', count(queue.deadLetters)],
        ['Lanes', count(queue.partitions)],
        ['Groups', queue.groups.map((/** @type {any} */ g) => groupName(g.name)).join(', ') || 'none'],
      ],
      action: 'Delete the queue',
      danger: true,
      expect: this.name,
    })) {
      const done = await this.live.end(() => perform(() => remove(path`/api/v1/resources/queues/${this.name}`), () => `${this.name} is deleted`));
      if (done) {
        location.hash = '#/queues';
      }
    }
  }

  #lanesView() {
    const {queue, lanes, lagging, laneAsk} = this;
    const traffic = seriesOf(this.history, [(p, s) => p.pushed / s, (p, s) => p.done / s]);
    return html`
      <section><h2>Groups</h2>
        ${table('Groups', [
          {label: 'Group', cell: (g) => html`${groupLink(g.name, this.name)} ${g.paused ? badge('warn', 'paused') : nothing}`},
          {label: 'Lag', number: true, cell: (g) => count(g.lag)},
          {label: 'Oldest', number: true, cell: (g) => (g.lag ? duration(g.oldestSeconds) : '–')},
          {label: 'Lanes behind', number: true, cell: (g) => count(g.laggingPartitions)},
          {label: 'Leases', number: true, cell: (g) => count(g.leases)},
        ], queue?.groups ?? null, {empty: 'No consumer has come yet. Messages wait.'})}
        ${queue && queue.groupCount > queue.groups.length ? html`<p class="hint">The ${queue.groups.length} with the largest lag of
          ${count(queue.groupCount)}. <a href=${link(['groups'], {search: this.name})}>All groups</a></p>` : nothing}</section>
      <section><h2>The last hour</h2>
        <figure><figcaption>Messages per second</figcaption>
          <queen-chart label="Messages per second" unit="/s" .times=${traffic.times} .values=${traffic.values} .series=${TRAFFIC}></queen-chart></figure></section>
      <section><h2>Lanes by lag</h2>
        ${table('Lanes by lag', [
          {label: 'Lane', cell: (l) => this.#laneLink(l.partition)},
          {label: 'Group', cell: (l) => groupLink(l.consumerGroup, this.name)},
          {label: 'Lag', number: true, cell: (l) => count(l.lag)},
          {label: 'Oldest', number: true, cell: (l) => duration(age(l.oldestAt))},
          {label: 'Last answer', number: true, cell: (l) => ago(l.lastConsumedAt)},
          {label: 'Lease', cell: (l) => (l.leaseId ? badge('good', 'held') : 'free')},
        ], lagging, {empty: 'No group is behind.'})}</section>
      <section><div class="head"><h2>All lanes</h2>
          <div class="tools">${searchBox('Lanes whose name begins with', laneAsk.search, (search) => this.#lane({search, offset: 0}))}</div></div>
        ${table('Lanes', [
          {label: 'Lane', cell: (l) => this.#laneLink(l.partition)},
          {label: 'Backlog', number: true, cell: (l) => count(l.pending)},
          {label: 'In progress', number: true, cell: (l) => count(l.processing)},
          {label: 'Dead letters', number: true, cell: (l) => count(l.deadLetters)},
          {label: 'Oldest', number: true, cell: (l) => (l.oldestAt ? duration(age(l.oldestAt)) : '–')},
          {label: 'Last push', number: true, cell: (l) => ago(l.lastPushAt)},
          {label: '', cell: (l) => action('admin', 'Delete', () => this.#deleteLane(l), {danger: true, small: true})},
        ], lanes?.lanes ?? null, {empty: laneAsk.search ? `No lane begins with "${laneAsk.search}".` : 'No lanes yet.'})}
        ${lanes ? pager({offset: laneAsk.offset, limit: LIMIT, shown: lanes.lanes.length, matched: lanes.matched},
          (offset) => this.#lane({offset})) : nothing}</section>`;
  }

  /** @param {string} partition */
  #laneLink(partition) {
    return html`<a class="name" href=${link(['queues', this.name, 'messages'])} title="Messages of this lane"
      @click=${() => (this.messageAsk = {...this.messageAsk, partition, span: 0, offset: 0})}>${partition}</a>`;
  }

  /** @param {object} changed */
  #lane(changed) {
    this.laneAsk = {...this.laneAsk, ...changed};
    this.live.refresh();
  }

  /** @param {any} lane */
  async #deleteLane(lane) {
    if (await ask({
      title: `Delete the lane ${lane.partition}?`,
      text: 'It goes with its messages, its dead letters and what groups have read. This cannot be undone.',
      hits: [['Queue', this.name], ['Messages not done', count(lane.pending)], ['Dead letters', count(lane.deadLetters)],
        ['In progress', count(lane.processing)]],
      action: 'Delete the lane',
      danger: true,
    })) {
      await perform(() => remove(path`/api/v1/queues/${this.name}/partitions/${lane.partition}`), () => `${lane.partition} is deleted`);
      this.live.refresh();
    }
  }

  #messagesView() {
    const {messages, messageAsk} = this;
    const choose = (/** @type {object} */ changed) => {
      this.messageAsk = {...this.messageAsk, offset: 0, ...changed};
      this.messages = null;
      this.live.refresh();
    };
    return html`<section aria-label="Messages">
      <div class="row">
        ${searchBox('Lane (exact name)', messageAsk.partition, (partition) => choose({partition}))}
        <select aria-label="Status" @change=${(/** @type {any} */ e) => choose({status: e.target.value})}>${STATUSES.map(([value, label]) => html`
          <option value=${value} ?selected=${value === messageAsk.status}>${label}</option>`)}</select>
        <select aria-label="Time" @change=${(/** @type {any} */ e) => choose({span: Number(e.target.value)})}>${SPANS.map(([label, value]) => html`
          <option value=${value} ?selected=${value === messageAsk.span}>${label}</option>`)}</select>
      </div>
      ${table('Messages', [
        {label: 'Transaction id', cell: (m) => html`<a class="name" href=${link(['messages', m.partitionId, m.transactionId])}>${m.transactionId}</a>`},
        {label: 'Lane', cell: (m) => m.partition},
        {label: 'Status', cell: (m) => statusBadge(m.status)},
        {label: 'Pushed', number: true, cell: (m) => html`<span title=${time(m.createdAt)}>${ago(m.createdAt)}</span>`},
        {label: 'Done by', number: true, cell: (m) => (m.busStatus.totalGroups
          ? `${m.busStatus.consumedBy} of ${plural(m.busStatus.totalGroups, 'group')}` : '–')},
        {label: 'Producer', cell: (m) => m.producerSub ?? '–'},
      ], messages?.messages ?? null, {empty: 'No message fits. Widen the time, or look at another lane.'})}
      ${messages?.truncated ? html`<p class="hint">There are more messages than are looked at; some that fit may be missing.</p>` : nothing}
      ${messages ? pager({offset: messageAsk.offset, limit: LIMIT, shown: messages.messages.length},
        (offset) => choose({offset})) : nothing}
    </section>`;
  }

  #optionsView() {
    const options = this.queue?.options;
    if (!options) {
      return html`<p class="loading">Loading…</p>`;
    }
    /** @type {Record<string, any>} */
    const edited = this.edited ?? {};
    const change = (/** @type {string} */ name, /** @type {any} */ value) => {
      /** @type {Record<string, any>} */
      const rest = {...edited, [name]: value};
      if (JSON.stringify(value) === JSON.stringify(options[name])) {
        delete rest[name];
      }
      this.edited = Object.keys(rest).length ? rest : null;
    };
    const changes = Object.keys(edited).length;
    return html`<form class="options" @submit=${(/** @type {Event} */ e) => {
      e.preventDefault();
      this.#saveOptions();
    }}>
      ${OPTIONS.filter((option) => option.name in options).map((option) => {
        const value = option.name in edited ? edited[option.name] : options[option.name];
        return html`<div class="option ${option.name in edited ? 'changed' : ''}">
          <label for="option-${option.name}">${option.label}</label>
          <div>${optionInput(option, value, !may('write'), (given) => change(option.name, given))}</div>
          <p>${option.does} <code>${option.name}</code></p></div>`;
      })}
      <div class="buttons">
        <button type="button" class="plain" ?disabled=${!changes} @click=${() => (this.edited = null)}>Undo</button>
        <button type="submit" class="primary" ?disabled=${!changes || !may('write')}
          title=${may('write') ? nothing : 'Your token does not allow this.'}>${changes ? `Save ${plural(changes, 'change')}` : 'Nothing changed'}</button>
      </div></form>`;
  }

  async #saveOptions() {
    /** @type {Record<string, any>} */
    const edited = this.edited ?? {};
    const {options, pending, total} = this.queue;
    const stored = OPTIONS.some((option) => option.stored && option.name in edited);
    if (await ask({
      title: `Change the options of ${this.name}?`,
      text: stored
        ? 'They count at every broker, also for the messages that are stored now: these may be removed, or not be delivered any more. What is removed cannot be brought back.'
        : 'They count from the next push, pop or ack on, at every broker.',
      hits: [
        ...Object.keys(edited).map((name) => /** @type {[string, unknown]} */ (
          [name, html`${String(options[name])} → <strong>${String(edited[name])}</strong>`])),
        .../** @type {[string, unknown][]} */ (stored
          ? [['Backlog', plural(pending, 'message')], ['Messages stored', count(total)]]
          : []),
      ],
      action: 'Save',
      danger: stored,
    })) {
      const done = await perform(() => post('/api/v1/configure', {queue: this.name, options: edited, merge: true}), () => 'Options saved');
      if (done) {
        this.edited = null;
        this.live.refresh();
      }
    }
  }
}

/**
 * @param {import('./options.js').Option} option
 * @param {any} value
 * @param {boolean} disabled
 * @param {(value: any) => void} change
 */
function optionInput(option, value, disabled, change) {
  const id = 'option-' + option.name;
  if (option.kind === 'number') {
    return html`<input id=${id} type="number" required min=${option.least ?? 0} max="2147483647" step="1" .value=${String(value)} ?disabled=${disabled}
      @input=${(/** @type {any} */ e) => e.target.validity.valid && change(e.target.valueAsNumber)}> ${option.unit ?? ''}`;
  }
  // What was set once cannot be unset by a change of single options.
  const choices = [...(option.kind === 'tristate' && value === null ? [[null, 'not set']] : []), [true, 'on'], [false, 'off']];
  return html`<select id=${id} ?disabled=${disabled} @change=${(/** @type {any} */ e) => change(JSON.parse(e.target.value))}>
    ${choices.map(([each, label]) => html`<option value=${String(each)} ?selected=${each === value}>${label}</option>`)}</select>`;
}

/** @param {string} text */
function jsonProblem(text) {
  try {
    JSON.parse(text);
    return '';
  } catch (e) {
    return `The payload is not JSON: ${/** @type {Error} */ (e).message}`;
  }
}

/** @param {string} status */
export function statusBadge(status) {
  /** @type {Record<string, 'good'|'warn'|'bad'|''>} */
  const states = {completed: 'good', processing: 'warn', dead_letter: 'bad', pending: ''};
  return badge(states[status] ?? '', status.replace('_', ' '));
}

customElements.define('page-queue', PageQueue);
