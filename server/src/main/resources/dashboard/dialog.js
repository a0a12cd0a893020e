/**
 * Questions before something happens, forms, and progress while something takes long: one native dialog,
 * so that focus, Escape and what lies behind are the browser's business.
 */
import {html, nothing, render} from 'lit';
import {count} from './format.js';

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label
 * @property {'text'|'textarea'|'datetime-local'|'select'} [type]
 * @property {string} [value]
 * @property {string} [hint]
 * @property {boolean} [required]
 * @property {[string, string][]} [choices] of a select: value and label
 */

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {unknown} [text] what it is about
 * @property {[string, unknown][]} [hits] what it will change, as names and values
 * @property {string} action what the button says
 * @property {boolean} [danger]
 * @property {string} [expect] a name that has to be typed first
 * @property {Field[]} [fields]
 * @property {(values: Record<string, string>) => string} [check] why it cannot be done, or an empty text
 */

/** @returns {HTMLDialogElement} */
function box() {
  let dialog = /** @type {HTMLDialogElement|null} */ (document.querySelector('dialog.q-dialog'));
  if (!dialog) {
    dialog = document.createElement('dialog');
    dialog.className = 'q-dialog';
    dialog.setAttribute('aria-labelledby', 'dialog-title');
    document.body.append(dialog);
  }
  return dialog;
}

/**
 * Asks before something is done.
 * @param {Question} question
 * @returns {Promise<Record<string, string>|null>} what was filled in; null: it is not to be done
 */
export function ask(question) {
  const dialog = box();
  return new Promise((resolve) => {
    let problem = '';
    const values = () => {
      const form = /** @type {HTMLFormElement} */ (dialog.querySelector('form'));
      return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    };
    const end = (/** @type {Record<string, string>|null} */ result) => {
      dialog.removeEventListener('close', closed);
      dialog.close();
      render(nothing, dialog);
      resolve(result);
    };
    // A close of the question before may be heard late.
    const closed = () => dialog.open || end(null);
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const given = values();
      problem = question.expect !== undefined && given.expected !== question.expect
        ? `Type ${question.expect} to confirm`
        : question.check?.(given) ?? '';
      if (problem) {
        draw();
      } else {
        end(given);
      }
    };
    const draw = () => render(view(), dialog);
    const view = () => html`
      <form method="dialog" @submit=${submit} novalidate>
        <h2 id="dialog-title">${question.title}</h2>
        ${question.text ? html`<p>${question.text}</p>` : nothing}
        ${question.hits ? html`
          <dl class="hits">${question.hits.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>` : nothing}
        ${(question.fields ?? []).map(fieldView)}
        ${question.expect === undefined ? nothing : html`
          <label class="field">Type <strong>${question.expect}</strong> to confirm
            <input name="expected" autocomplete="off" autofocus></label>`}
        <p class="problem" role="alert">${problem}</p>
        <div class="buttons">
          <button type="button" class="plain" @click=${() => end(null)}>Cancel</button>
          <button type="submit" class=${question.danger ? 'danger' : 'primary'}>${question.action}</button>
        </div>
      </form>`;
    draw();
    dialog.addEventListener('close', closed);
    dialog.showModal();
  });
}

/** @param {Field} field */
function fieldView(field) {
  const hint = field.hint ? html`<small>${field.hint}</small>` : nothing;
  switch (field.type) {
    case 'textarea':
      return html`<label class="field">${field.label}
        <textarea name=${field.name} rows="8" spellcheck="false" .value=${field.value ?? ''}></textarea>${hint}</label>`;
    case 'select':
      return html`<label class="field">${field.label}
        <select name=${field.name}>${(field.choices ?? []).map(([value, label]) => html`
          <option value=${value} ?selected=${value === field.value}>${label}</option>`)}</select>${hint}</label>`;
    default:
      return html`<label class="field">${field.label}
        <input name=${field.name} type=${field.type ?? 'text'} step="1" .value=${field.value ?? ''}
          ?required=${field.required} autocomplete="off">${hint}</label>`;
  }
}

/**
 * Shows how far something is that takes long. It can be stopped between two steps.
 * @template T
 * @param {string} title
 * @param {(report: (done: number, all: number|null) => void, stopped: () => boolean) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function progress(title, work) {
  const dialog = box();
  let stop = false;
  let done = 0;
  /** @type {number|null} */
  let all = null;
  const keep = (/** @type {Event} */ event) => event.preventDefault();
  const draw = () => render(html`
    <h2 id="dialog-title">${title}</h2>
    <progress max=${all ?? nothing} value=${all === null ? nothing : done} aria-label=${title}></progress>
    <p class="progress-text" role="status">${all === null ? `${count(done)} done` : `${count(done)} of ${count(all)}`}</p>
    <div class="buttons"><button type="button" ?disabled=${stop} @click=${() => {
      stop = true;
      draw();
    }}>${stop ? 'Stopping…' : 'Stop'}</button></div>`, dialog);
  draw();
  dialog.addEventListener('cancel', keep);
  dialog.showModal();
  try {
    return await work((doneNow, allNow) => {
      done = doneNow;
      all = allNow;
      draw();
    }, () => stop);
  } finally {
    dialog.removeEventListener('cancel', keep);
    dialog.close();
    render(nothing, dialog);
  }
}

/**
 * A line at the bottom of the page that goes away by itself.
 * @param {string} text
 * @param {'good'|'bad'} [kind]
 */
export function notify(text, kind = 'good') {
  window.dispatchEvent(new CustomEvent('queen-notice', {detail: {text, kind}}));
}

/**
 * Does something and says how it went.
 * @template T
 * @param {() => Promise<T>} work
 * @param {(result: T) => string} said
 * @returns {Promise<T|null>} null if it failed
 */
export async function perform(work, said) {
  try {
    const result = await work();
    notify(said(result));
    return result;
  } catch (e) {
    notify(e instanceof Error ? e.message : String(e), 'bad');
    return null;
  }
}
