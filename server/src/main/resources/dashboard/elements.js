/** What several pages are made of. */
import {LitElement, html, nothing} from 'lit';
import {ApiError, denied, may} from './api.js';
import {count, groupName} from './format.js';

/**
 * An element without a shadow: one style sheet is for all, and labels and links work across elements.
 */
export class QueenElement extends LitElement {
  createRenderRoot() {
    return this;
  }
}

/**
 * A page. Subclasses have a `title` and feed themselves by a Live controller.
 */
export class Page extends QueenElement {
  /** @type {import('lit').PropertyDeclarations} */
  static properties = {
    params: {attribute: false},
    error: {state: true},
  };

  constructor() {
    super();
    /** @type {string[]} the parts of the address behind the page's own */
    this.params = [];
    /** @type {unknown} */
    this.error = null;
  }

  /** What went wrong with the last request, if anything did. */
  trouble() {
    if (!this.error) {
      return nothing;
    }
    const status = this.error instanceof ApiError ? this.error.status : -1;
    const text = this.error instanceof Error ? this.error.message : String(this.error);
    const hint = status === 403 ? ' Your token does not allow this page.' : status === 0 || status === 503 ? ' Trying again.' : '';
    return html`<p class="trouble" role="alert"><strong>${status > 0 ? `${status}: ` : ''}${text}.</strong>${hint}</p>`;
  }
}

/** @param {string[]} parts @param {Record<string, string>} [more] */
export function link(parts, more = {}) {
  const given = Object.entries(more).filter(([, value]) => value !== '');
  const search = given.length ? '?' + new URLSearchParams(given) : '';
  return '#/' + parts.map(encodeURIComponent).join('/') + search;
}

/** @param {string} queue */
export const queueLink = (queue) => html`<a class="name" href=${link(['queues', queue])}>${queue}</a>`;

/** @param {string} group @param {string} queue */
export const groupLink = (group, queue) =>
  html`<a class="name" href=${link(['groups', group, queue])}>${groupName(group)}</a>`;

/**
 * A button for something that not every role may do. Without the permission it is shown, but cannot be used,
 * and says why.
 * @param {'produce'|'consume'|'write'|'admin'} permission
 * @param {string} label
 * @param {() => unknown} click
 * @param {{danger?: boolean, disabled?: boolean, small?: boolean, title?: string}} [look]
 */
export function action(permission, label, click, look = {}) {
  return html`<button type="button" class="${look.danger ? 'danger' : ''} ${look.small ? 'small' : ''}"
    ?disabled=${look.disabled || !may(permission)} title=${denied(permission) || look.title || nothing}
    @click=${click}>${label}</button>`;
}

/**
 * A number with its name.
 * @param {string} label
 * @param {unknown} value
 * @param {{note?: unknown, state?: 'good'|'warn'|'bad'|'', href?: string, id?: string}} [more]
 */
export function tile(label, value, {note, state = '', href, id} = {}) {
  const inside = html`<span class="tile-label">${label}</span><span class="tile-value">${value}</span>
    <span class="tile-note">${note ?? nothing}</span>`;
  return href
    ? html`<a class="tile ${state}" href=${href} data-tile=${id ?? label}>${inside}</a>`
    : html`<div class="tile ${state}" data-tile=${id ?? label}>${inside}</div>`;
}

/**
 * @template R
 * @typedef {object} Column
 * @property {string} label
 * @property {(row: R) => unknown} cell
 * @property {boolean} [number] right-aligned
 * @property {string} [sort] what the server calls it
 */

/**
 * A table; sorting is the server's.
 * @template R
 * @param {string} caption for screen readers
 * @param {Column<R>[]} columns
 * @param {R[]|null} rows null: not loaded yet
 * @param {{empty?: string, sort?: string, descending?: boolean, onSort?: (sort: string, descending: boolean) => void}} [more]
 */
export function table(caption, columns, rows, {empty = 'Nothing here.', sort, descending, onSort} = {}) {
  const head = (/** @type {Column<R>} */ column) => {
    if (!column.sort || !onSort) {
      return html`<th class=${column.number ? 'number' : ''} scope="col">${column.label}</th>`;
    }
    const current = sort === column.sort;
    const next = current ? !descending : Boolean(column.number);
    return html`<th class=${column.number ? 'number' : ''} scope="col"
        aria-sort=${current ? (descending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" class="sort" @click=${() => onSort(/** @type {string} */ (column.sort), next)}>
        ${column.label}<span class="arrow" aria-hidden="true">${current ? (descending ? '▼' : '▲') : ''}</span>
      </button></th>`;
  };
  return html`<div class="table-wrap" tabindex="-1"><table>
    <caption class="visually-hidden">${caption}</caption>
    <thead><tr>${columns.map(head)}</tr></thead>
    <tbody>${rows === null
      ? html`<tr><td class="empty" colspan=${columns.length}>Loading…</td></tr>`
      : rows.length === 0
        ? html`<tr><td class="empty" colspan=${columns.length}>${empty}</td></tr>`
        : rows.map((row) => html`<tr>${columns.map((column) => html`
            <td class=${column.number ? 'number' : ''} data-label=${column.label}>${column.cell(row)}</td>`)}</tr>`)}
    </tbody></table></div>`;
}

/**
 * Turns pages of a list.
 * @param {{offset: number, limit: number, shown: number, matched?: number|null}} at
 * @param {(offset: number) => void} go
 */
export function pager({offset, limit, shown, matched = null}, go) {
  const more = matched === null ? shown === limit : offset + shown < matched;
  if (offset === 0 && !more) {
    return html`<p class="pager"><span>${matched === null ? nothing : `${count(matched)} in all`}</span></p>`;
  }
  return html`<nav class="pager" aria-label="Pages">
    <button type="button" class="small" ?disabled=${offset === 0} @click=${() => go(Math.max(0, offset - limit))}>‹ Previous</button>
    <span>${count(shown === 0 ? offset : offset + 1)} – ${count(offset + shown)}${matched === null ? '' : ` of ${count(matched)}`}</span>
    <button type="button" class="small" ?disabled=${!more} @click=${() => go(offset + limit)}>Next ›</button>
  </nav>`;
}

/**
 * A box to search with; the slash key goes to the first one of a page.
 * @param {string} label
 * @param {string} value
 * @param {(text: string) => void} change after a pause of typing
 */
export function searchBox(label, value, change) {
  return html`<input type="search" class="search" placeholder=${label} aria-label=${label} .value=${value} maxlength="255"
    @input=${(/** @type {Event} */ event) => later(event.target, change)}
    @keydown=${(/** @type {KeyboardEvent} */ event) => event.key === 'Enter' && now(event.target, change)}>`;
}

/** @type {WeakMap<object, ReturnType<typeof setTimeout>>} */
const typing = new WeakMap();

/** @param {any} input @param {(text: string) => void} change */
function later(input, change) {
  clearTimeout(typing.get(input));
  typing.set(input, setTimeout(() => change(input.value.trim()), 300));
}

/** @param {any} input @param {(text: string) => void} change */
function now(input, change) {
  clearTimeout(typing.get(input));
  change(input.value.trim());
}

/** @param {'good'|'warn'|'bad'|''} state @param {unknown} text */
export const badge = (state, text) => html`<span class="badge ${state}">${text}</span>`;

/** Sums of many partitions are some seconds old; says so if they are. @param {number|null|undefined} seconds */
export const staleness = (seconds) => seconds && seconds >= 2
  ? html`<span class="stale" title="With this many partitions, sums are made in the background.">${count(seconds)} s old</span>`
  : nothing;

/** @param {[string, unknown][]} pairs */
export const facts = (pairs) =>
  html`<dl class="facts">${pairs.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;

/** More of a payload makes a page slow that shows it. */
const SHOWN = 200_000;

/** @param {string} text a payload, whatever its size */
export const payloadView = (text) => html`<pre class="payload" tabindex="0">${text.length > SHOWN ? text.slice(0, SHOWN) : text}</pre>
  ${text.length > SHOWN ? html`<p class="hint">The first ${count(SHOWN)} of ${count(text.length)} characters.</p>` : nothing}`;

/** @param {string} text */
export function copyButton(text) {
  return html`<button type="button" class="small" @click=${async (/** @type {Event} */ event) => {
    const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
    button.textContent = await copy(text) ? 'Copied' : 'Your browser does not allow it';
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  }}>Copy</button>`;
}

/** Browsers have a clipboard for pages of https and of this machine only. @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
