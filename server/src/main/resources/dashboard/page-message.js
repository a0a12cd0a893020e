/** One message: its payload, who has done it, what was noted about it. */
import {html, nothing} from 'lit';
import {getExactly, path, post, remove} from './api.js';
import {Live} from './live.js';
import {ask, perform} from './dialog.js';
import {Page, action, badge, copyButton, facts, groupLink, payloadView, queueLink, table} from './elements.js';
import {ago, count, groupName, pretty, time} from './format.js';
import {statusBadge} from './page-queue.js';

class PageMessage extends Page {
  static properties = {message: {state: true}, traces: {state: true}};

  constructor() {
    super();
    /** @type {any} */
    this.message = null;
    /** @type {any} */
    this.traces = null;
    this.live = new Live(this, [
      {every: 5000, run: async (signal) => (this.message = await getExactly(this.#target(), signal))},
      {every: 5000, run: async (signal) => (this.traces = await getExactly(path`/api/v1/traces/${this.params[0]}/${this.params[1]}`, signal))},
    ]);
    document.title = 'Message · Queen MQ';
  }

  #target() {
    return path`/api/v1/messages/${this.params[0]}/${this.params[1]}`;
  }

  render() {
    const m = this.message;
    return html`
      <p class="crumbs">${m ? html`<a href="#/queues">Queues</a> › ${queueLink(m.queue)} ›` : nothing}</p>
      <div class="head"><h1>Message ${this.params[1]}</h1>${m ? statusBadge(m.status) : nothing}
        <div class="tools">${m ? this.#actions(m) : nothing}</div></div>
      ${this.trouble()}
      ${m ? this.#view(m) : this.error ? nothing : html`<p class="loading">Loading…</p>`}`;
  }

  /** @param {any} m */
  #actions(m) {
    return m.status === 'dead_letter'
      ? html`${action('write', 'Redrive', () => this.#retry(m))} ${action('write', 'Delete', () => this.#delete(m), {danger: true})}`
      : html`${action('write', 'To the dead letters', () => this.#deadLetter(m), {danger: true})}
          ${action('write', 'Delete', () => this.#delete(m), {danger: true})}`;
  }

  /** @param {any} m */
  #view(m) {
    const payload = pretty(m.payload);
    const groups = m.consumerGroups ?? [];
    return html`<div class="columns">
      <section><div class="head"><h2>Payload</h2><div class="tools">${copyButton(payload)}</div></div>
        ${payloadView(payload)}</section>
      <section><h2>Facts</h2>
        ${facts([
          ['Queue', queueLink(m.queue)],
          ['Lane', m.partition],
          ['Pushed', html`${time(m.createdAt)} (${ago(m.createdAt)})`],
          ['Producer', m.producerSub ?? '–'],
          ['Message id', html`<code>${m.id}</code>`],
          ['Trace id', m.traceId ? html`<code>${m.traceId}</code>` : '–'],
          ['Encrypted', m.isEncrypted ? 'yes' : 'no'],
          ['Error', m.errorMessage ? html`<span class="bad">${m.errorMessage}</span>` : '–'],
          ['Attempts that failed', m.retryCount === null || m.retryCount === undefined ? '–' : count(m.retryCount)],
        ])}
        <h2>Groups</h2>
        ${table('Groups', [
          {label: 'Group', cell: (g) => groupLink(g.name, m.queue)},
          {label: 'State', cell: (g) => (g.consumed ? badge('good', 'done') : g.leaseExpiresAt ? badge('warn', 'in progress') : 'waiting')},
          {label: 'Lease until', cell: (g) => time(g.leaseExpiresAt)},
        ], groups, {empty: 'No named group reads this lane.'})}
      </section></div>
      <section><h2>Traces</h2>
        ${table('Traces', [
          {label: 'When', cell: (t) => time(t.created_at)},
          {label: 'Kind', cell: (t) => t.event_type},
          {label: 'Group', cell: (t) => groupName(t.consumer_group)},
          {label: 'Names', cell: (t) => (t.trace_names ?? []).map((/** @type {string} */ n) => html`<a class="name" href="#/traces/${encodeURIComponent(n)}">${n}</a> `)},
          {label: 'Data', cell: (t) => html`<pre class="data">${pretty(t.data)}</pre>`},
        ], this.traces?.traces ?? null, {empty: 'Nothing was noted about this message.'})}</section>`;
  }

  /** @param {any} m */
  async #delete(m) {
    if (await ask({
      title: 'Delete this message?',
      text: 'It is gone for every group, with its dead letters. This cannot be undone.',
      hits: [['Message', m.transactionId], ['Queue', m.queue], ['Lane', m.partition], ['Status', m.status]],
      action: 'Delete',
      danger: true,
    })) {
      const done = await this.live.end(() => perform(() => remove(this.#target()), () => 'Message deleted'));
      if (done) {
        location.hash = `#/queues/${encodeURIComponent(m.queue)}/messages`;
      }
    }
  }

  /** @param {any} m */
  async #deadLetter(m) {
    const groups = [...new Set(['__QUEUE_MODE__', ...(m.consumerGroups ?? []).map((/** @type {any} */ g) => g.name)])];
    const values = await ask({
      title: 'Make it a dead letter?',
      text: 'The group goes on behind it. You can give it back from the dead letters.',
      hits: [['Message', m.transactionId], ['Queue', m.queue], ['Lane', m.partition]],
      action: 'To the dead letters',
      danger: true,
      fields: [
        {name: 'consumerGroup', label: 'Group', type: 'select', choices: groups.map((g) => [g, groupName(g)])},
        {name: 'error', label: 'Reason', value: 'Given up by hand'},
      ],
    });
    if (values) {
      await perform(() => post(this.#target() + '/dlq', values), () => 'It is a dead letter now');
      this.live.refresh();
    }
  }

  /** @param {any} m */
  async #retry(m) {
    if (await ask({
      title: 'Give this message back?',
      text: 'The groups that gave it up get it again, as a new message at the end of its lane.',
      hits: [['Message', m.transactionId], ['Queue', m.queue], ['Lane', m.partition], ['Error', m.errorMessage ?? '–']],
      action: 'Redrive',
    })) {
      await perform(() => post(this.#target() + '/retry'), () => 'Message given back');
      this.live.refresh();
    }
  }
}

customElements.define('page-message', PageMessage);
