/** The frame around the pages: who is asking, where we are, light or dark. */
import {html, nothing} from 'lit';
import {keyed} from 'lit/directives/keyed.js';
import {closeSession, isLimited, openSession, session, setToken, token} from './api.js';
import {ahead} from './format.js';
import {QueenElement} from './elements.js';
import './page-overview.js';
import './page-queues.js';
import './page-queue.js';
import './page-message.js';
import './page-groups.js';
import './page-group.js';
import './page-dead-letters.js';
import './page-traces.js';
import './page-streams.js';
import './page-system.js';

/**
 * @typedef {object} Place
 * @property {string} label
 * @property {string} key of the keyboard, behind g
 * @property {boolean} limited whether tokens for some queues may see it
 */

/** @type {Record<string, Place>} */
const PLACES = {
  overview: {label: 'Overview', key: 'o', limited: false},
  queues: {label: 'Queues', key: 'q', limited: true},
  groups: {label: 'Groups', key: 'c', limited: false},
  'dead-letters': {label: 'Dead letters', key: 'd', limited: true},
  traces: {label: 'Traces', key: 't', limited: true},
  streams: {label: 'Streams', key: 's', limited: false},
  system: {label: 'System', key: 'y', limited: false},
};

const THEMES = ['auto', 'light', 'dark'];

class QueenApp extends QueenElement {
  static properties = {
    state: {state: true},
    refused: {state: true},
    notices: {state: true},
    theme: {state: true},
    place: {state: true},
    help: {state: true},
  };

  constructor() {
    super();
    /** @type {'starting'|'login'|'open'|'failed'} */
    this.state = 'starting';
    /** Why the last token was not good enough. */
    this.refused = '';
    /** @type {{id: number, text: string, kind: string}[]} */
    this.notices = [];
    this.theme = document.documentElement.dataset.theme ?? 'auto';
    this.place = here();
    this.help = false;
    this.pending = '';
    this.serial = 0;
  }

  connectedCallback() {
    super.connectedCallback();
    window.addEventListener('hashchange', () => this.#moved());
    window.addEventListener('queen-notice', (event) => this.#notice(/** @type {CustomEvent} */ (event).detail));
    window.addEventListener('queen-unauthorized', (event) => this.#leave(/** @type {CustomEvent} */ (event).detail));
    window.addEventListener('keydown', (event) => this.#key(event));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#themed());
    this.#enter();
  }

  async #enter() {
    if (this.dataset.tokens === 'true' && !token()) {
      this.state = 'login';
      return;
    }
    try {
      await openSession();
      this.refused = '';
      this.state = 'open';
      if (isLimited() && !location.hash) {
        location.hash = '#/queues';
      }
    } catch (e) {
      const problem = /** @type {import('./api.js').ApiError} */ (e);
      if (problem.status === 403) {
        setToken('');
        this.#leave('This token may not look at anything (403). Use one with the role read-only, read-write or admin.');
      } else if (problem.status !== 401) {
        this.refused = problem.message;
        this.state = 'failed';
        setTimeout(() => this.state === 'failed' && this.#enter(), 3000);
      }
    }
  }

  /** @param {string} why */
  #leave(why) {
    closeSession();
    this.refused = why;
    this.state = 'login';
  }

  /** @param {SubmitEvent} event */
  #login(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const given = String(new FormData(form).get('token') ?? '').trim().replace(/^Bearer\s+/i, '');
    if (given) {
      setToken(given);
      this.#enter();
    }
  }

  #moved() {
    this.place = here();
    this.updateComplete.then(() => {
      window.scrollTo(0, 0);
      /** @type {HTMLElement|null} */ (this.querySelector('main'))?.focus({preventScroll: true});
    });
  }

  /** @param {{text: string, kind: string}} notice */
  #notice(notice) {
    const id = ++this.serial;
    this.notices = [...this.notices.slice(-3), {id, ...notice}];
    setTimeout(() => (this.notices = this.notices.filter((each) => each.id !== id)), notice.kind === 'bad' ? 12_000 : 5_000);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest('input, textarea, select, dialog')) {
      return;
    }
    const after = this.pending;
    this.pending = '';
    if (after === 'g') {
      const place = Object.entries(PLACES).find(([name, each]) => each.key === event.key && this.#offers(name));
      if (place) {
        location.hash = '#/' + place[0];
      }
    } else if (event.key === 'g') {
      this.pending = 'g';
    } else if (event.key === '/') {
      event.preventDefault();
      /** @type {HTMLElement|null} */ (this.querySelector('main input[type=search]'))?.focus();
    } else if (event.key === '?') {
      this.help = !this.help;
    } else if (event.key === 'Escape') {
      this.help = false;
    }
  }

  #switchTheme() {
    this.theme = THEMES[(THEMES.indexOf(this.theme) + 1) % THEMES.length];
    if (this.theme === 'auto') {
      delete document.documentElement.dataset.theme;
      localStorage.removeItem('queen.theme');
    } else {
      document.documentElement.dataset.theme = this.theme;
      localStorage.setItem('queen.theme', this.theme);
    }
    this.#themed();
  }

  #themed() {
    window.dispatchEvent(new CustomEvent('queen-theme'));
  }

  /** @param {string} name */
  #offers(name) {
    return PLACES[name].limited || !isLimited();
  }

  render() {
    return html`
      <a class="skip" href="#main" @click=${(/** @type {Event} */ event) => {
        event.preventDefault();
        /** @type {HTMLElement|null} */ (this.querySelector('main'))?.focus();
      }}>Skip to the content</a>
      ${this.state === 'open' ? this.#frame() : this.state === 'login' ? this.#loginView() : this.#waiting()}
      <div class="notices" role="status" aria-live="polite">${this.notices.map((each) => html`
        <p class="notice ${each.kind}">${each.text}</p>`)}</div>`;
  }

  #brand() {
    return html`<a class="brand" href="#/"><span class="crown" aria-hidden="true">♛</span> Queen MQ</a>`;
  }

  #frame() {
    const [name] = this.place.parts;
    return html`
      <header class="top">
        ${this.#brand()}
        <nav aria-label="Pages">${Object.entries(PLACES).filter(([each]) => this.#offers(each)).map(([each, {label}]) => html`
          <a href="#/${each}" aria-current=${section(name) === each ? 'page' : nothing}>${label}</a>`)}</nav>
        <div class="who">
          <button type="button" class="small plain" title="Light, dark, or as your system has it" data-theme-switch
            @click=${this.#switchTheme}>Theme: ${this.theme}</button>
          <button type="button" class="small plain" aria-label="Keyboard shortcuts" @click=${() => (this.help = !this.help)}>?</button>
          ${this.#whoView()}
        </div>
      </header>
      ${this.help ? this.#helpView() : nothing}
      <main id="main" tabindex="-1">${this.#page()}</main>
      <footer>Queen MQ for Java ${this.dataset.version}</footer>`;
  }

  #whoView() {
    const who = session();
    if (!who?.tokens) {
      return html`<span class="role" data-role title="This broker asks for no tokens: every caller may do everything.">no tokens</span>`;
    }
    const role = ['admin', 'write', 'read'].find((each) => who.permissions.includes(each)) ?? 'none';
    const label = {admin: 'admin', write: 'read-write', read: 'read-only', none: 'nothing'}[role];
    return html`<span class="role" data-role title="Ends ${ahead(who.expiresAt)}">${who.subject ?? 'token'} · ${label}</span>
      <button type="button" class="small plain" @click=${() => this.#leave('')}>Log out</button>`;
  }

  #helpView() {
    return html`<aside class="help" aria-label="Keyboard shortcuts">
      <strong>Keyboard</strong>
      <dl><dt><kbd>/</kbd></dt><dd>search</dd><dt><kbd>?</kbd></dt><dd>this list</dd><dt><kbd>Esc</kbd></dt><dd>close a question</dd>
      ${Object.values(PLACES).map(({label, key}) => html`<dt><kbd>g</kbd> <kbd>${key}</kbd></dt><dd>${label}</dd>`)}</dl>
    </aside>`;
  }

  #page() {
    const [name, ...params] = this.place.parts;
    const at = this.place.key;
    switch (section(name)) {
      case 'overview':
        return html`<page-overview></page-overview>`;
      case 'queues':
        return params.length
          ? keyedPage(at, html`<page-queue .params=${params}></page-queue>`)
          : html`<page-queues></page-queues>`;
      case 'messages':
        return keyedPage(at, html`<page-message .params=${params}></page-message>`);
      case 'groups':
        return params.length > 1
          ? keyedPage(at, html`<page-group .params=${params}></page-group>`)
          : html`<page-groups></page-groups>`;
      case 'dead-letters':
        return params.length
          ? keyedPage(at, html`<page-dead-queue .params=${params} .search=${this.place.search}></page-dead-queue>`)
          : html`<page-dead-letters></page-dead-letters>`;
      case 'traces':
        return params.length
          ? keyedPage(at, html`<page-trace .params=${params} .search=${this.place.search}></page-trace>`)
          : html`<page-traces></page-traces>`;
      case 'streams':
        return params.length
          ? keyedPage(at, html`<page-stream .params=${params}></page-stream>`)
          : html`<page-streams></page-streams>`;
      case 'system':
        return html`<page-system></page-system>`;
      default:
        return html`<h1>There is no such page</h1><p><a href="#/">To the overview</a></p>`;
    }
  }

  #waiting() {
    return html`<main class="login"><h1>${this.#brand()}</h1>
      <p role="status">${this.state === 'failed' ? `${this.refused}. Trying again.` : 'Loading…'}</p></main>`;
  }

  #loginView() {
    return html`<main class="login">
      <h1>${this.#brand()}</h1>
      <form @submit=${this.#login}>
        <label class="field">Token
          <textarea name="token" rows="5" required autofocus spellcheck="false" autocomplete="off"
            placeholder="Paste a JSON Web Token"></textarea></label>
        <p class="problem" role="alert">${this.refused}</p>
        <button type="submit" class="primary">Log in</button>
        <p class="hint">This broker asks for tokens. Yours stays in this tab and is forgotten when you close it. What you
          may see and do depends on its role: read-only looks, read-write changes queues and messages, admin everything.</p>
      </form></main>`;
  }
}


/** A page for another object is another page: nothing of the old one stays. @param {string} key @param {unknown} page */
function keyedPage(key, page) {
  return html`${keyed(key, page)}`;
}

/** @param {string|undefined} name */
function section(name) {
  return name || 'overview';
}

/** Where the address says that we are. */
function here() {
  const [address, search = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  const parts = address.split('/').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  // Parts of one page are told apart by it.
  const key = parts.slice(0, parts[0] === 'queues' ? 2 : parts.length).join('\n') + '?' + search;
  return {parts, key, search: new URLSearchParams(search)};
}

customElements.define('queen-app', QueenApp);
