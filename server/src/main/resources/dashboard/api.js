/**
 * The HTTP API as the pages use it: one function for every request, and who is asking.
 *
 * The token is kept in sessionStorage: it ends with the tab, and other tabs and origins do not see it.
 */

/**
 * Who asks, as the broker sees it.
 * @typedef {object} Session
 * @property {boolean} tokens whether the broker asks for tokens
 * @property {string|null} subject of the token
 * @property {string[]} permissions read, produce, consume, write, admin
 * @property {string[]|null} queues patterns that the token is limited to; null: all
 * @property {string|null} expiresAt when the token ends
 * @property {string} version of the broker
 */

const TOKEN = 'queen.token';

/** An answer that is not a success. */
export class ApiError extends Error {
  /**
   * @param {number} status 0 if there was no answer
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** @returns {string} the token, or an empty text */
export function token() {
  return sessionStorage.getItem(TOKEN) ?? '';
}

/** @param {string} text the token without "Bearer"; empty forgets it */
export function setToken(text) {
  if (text) {
    sessionStorage.setItem(TOKEN, text);
  } else {
    sessionStorage.removeItem(TOKEN);
  }
}

/**
 * A path in which everything that is filled in is percent-encoded.
 *
 * Browsers fold "." and ".." also when they are encoded, and the request would go to another route: a seek of a lane
 * called ".." would move the group in the whole queue. So nothing is sent for such a name.
 * @param {TemplateStringsArray} texts
 * @param {...string} names
 * @throws {ApiError}
 */
export function path(texts, ...names) {
  const folded = names.find((name) => name === '.' || name === '..');
  if (folded !== undefined) {
    throw new ApiError(-1, `A browser cannot ask for something called "${folded}". Use the command line for it`);
  }
  return texts.reduce((all, text, i) => all + encodeURIComponent(names[i - 1]) + text);
}

/**
 * @param {Record<string, string|number|boolean|null|undefined>} parameters those without a value are left out
 * @returns {string} with its question mark, or empty
 */
export function query(parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== '' && value !== null && value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && '?' + text;
}

/**
 * Reads JSON as it was written: numbers that JavaScript cannot hold, such as long ids, keep all of their digits when
 * they are shown or sent. Browsers without `JSON.rawJSON` round them.
 * @param {string} text
 * @returns {any}
 */
export function exactly(text) {
  const raw = /** @type {any} */ (JSON).rawJSON;
  return JSON.parse(text, /** @type {any} */ ((/** @type {string} */ _, /** @type {unknown} */ value, /** @type {any} */ context) =>
    (raw && typeof value === 'number' && context?.source && String(value) !== context.source ? raw(context.source) : value)));
}

/**
 * Sends a request.
 * @param {string} method
 * @param {string} target path with its query
 * @param {{body?: unknown, signal?: AbortSignal, read?: (text: string) => any}} [options]
 * @returns {Promise<any>} the JSON of the answer, null if it has none
 * @throws {ApiError}
 */
export async function send(method, target, {body, signal, read = JSON.parse} = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (token()) {
    headers.Authorization = 'Bearer ' + token();
  }
  if (body !== undefined) {
    headers['Content-Type'] = 'application/json';
  }
  let answer;
  try {
    answer = await fetch(target, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      cache: 'no-store',
      credentials: 'omit',
    });
  } catch (e) {
    if (signal?.aborted) {
      throw e;
    }
    throw new ApiError(0, 'The broker does not answer');
  }
  const text = await answer.text();
  if (answer.ok) {
    return text ? read(text) : null;
  }
  const problem = new ApiError(answer.status, errorText(text) || answer.statusText);
  if (answer.status === 401) {
    window.dispatchEvent(new CustomEvent('queen-unauthorized', {detail: problem.message}));
  }
  throw problem;
}

/** @param {string} text of an answer */
function errorText(text) {
  try {
    const body = JSON.parse(text);
    return String(body.error ?? body.message ?? '');
  } catch {
    return '';
  }
}

/**
 * @param {string} target
 * @param {AbortSignal} [signal]
 */
export const get = (target, signal) => send('GET', target, {signal});

/**
 * For answers with payloads.
 * @param {string} target
 * @param {AbortSignal} [signal]
 */
export const getExactly = (target, signal) => send('GET', target, {signal, read: exactly});

/**
 * @param {string} target
 * @param {unknown} [body]
 */
export const post = (target, body = {}) => send('POST', target, {body});

/** @param {string} target */
export const remove = (target) => send('DELETE', target);

/** @type {Session|null} */
let current = null;

/** @returns {Session|null} */
export function session() {
  return current;
}

/** Asks the broker who we are. */
export async function openSession() {
  current = await get('/api/v1/dashboard/session');
  return current;
}

/** Forgets the token and who it was. */
export function closeSession() {
  current = null;
  setToken('');
}

/** @param {'read'|'produce'|'consume'|'write'|'admin'} permission */
export function may(permission) {
  return current !== null && current.permissions.includes(permission);
}

/** Whether the token is good for some queues only: lists over all queues are refused then. */
export function isLimited() {
  return current !== null && current.queues !== null;
}

/**
 * What a button says that the role does not allow.
 * @param {'read'|'produce'|'consume'|'write'|'admin'} permission
 */
export function denied(permission) {
  return may(permission) ? '' : `Your token does not allow this: it needs the permission "${permission}".`;
}
