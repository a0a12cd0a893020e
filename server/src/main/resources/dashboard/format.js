/** Numbers, times and JSON for people. */

const WHOLE = new Intl.NumberFormat('en', {maximumFractionDigits: 0});
const SHORT = new Intl.NumberFormat('en', {notation: 'compact', maximumFractionDigits: 1});
const RATE = new Intl.NumberFormat('en', {maximumFractionDigits: 1});

/** @param {number|null|undefined} value */
export function count(value) {
  return value === null || value === undefined ? '–' : WHOLE.format(value);
}

/** @param {number|null|undefined} value long numbers in short: 1.2M */
export function short(value) {
  if (value === null || value === undefined) {
    return '–';
  }
  return Math.abs(value) < 100_000 ? WHOLE.format(value) : SHORT.format(value);
}

/** @param {number|null|undefined} perSecond */
export function rate(perSecond) {
  if (perSecond === null || perSecond === undefined) {
    return '–';
  }
  return perSecond >= 100 ? short(perSecond) : RATE.format(perSecond);
}

/** @param {number|null|undefined} bytes */
export function size(bytes) {
  if (bytes === null || bytes === undefined) {
    return '–';
  }
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** @param {number|null|undefined} seconds as 45 s, 12 min, 3 h 20 min, 4 d 2 h */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) {
    return '–';
  }
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) {
    return `${s} s`;
  }
  if (s < 3600) {
    return `${Math.floor(s / 60)} min`;
  }
  if (s < 86_400) {
    const minutes = Math.floor((s % 3600) / 60);
    return `${Math.floor(s / 3600)} h${minutes ? ` ${minutes} min` : ''}`;
  }
  const hours = Math.floor((s % 86_400) / 3600);
  return `${Math.floor(s / 86_400)} d${hours ? ` ${hours} h` : ''}`;
}

/** @param {string|null|undefined} iso how long ago, in seconds */
export function age(iso) {
  return iso ? (Date.now() - Date.parse(iso)) / 1000 : null;
}

/** @param {string|null|undefined} iso */
export function ago(iso) {
  const seconds = age(iso);
  if (seconds === null) {
    return '–';
  }
  return seconds < 1 ? 'just now' : `${duration(seconds)} ago`;
}

/** @param {string|null|undefined} iso a time to come */
export function ahead(iso) {
  const seconds = age(iso);
  if (seconds === null) {
    return '–';
  }
  return seconds >= 0 ? 'now' : `in ${duration(-seconds)}`;
}

/** @param {string|null|undefined} iso in the browser's time zone */
export function time(iso) {
  if (!iso) {
    return '–';
  }
  const at = new Date(iso);
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} `
    + `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** @param {unknown} value as indented JSON; texts that hold JSON are not opened */
export function pretty(value) {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

/** @param {unknown} value on one line, cut */
export function brief(value, most = 120) {
  const text = JSON.stringify(value) ?? '';
  return text.length > most ? text.slice(0, most) + '…' : text;
}

/** @param {string} group consumers that name no group are one */
export function groupName(group) {
  return group === '__QUEUE_MODE__' ? '(no group)' : group;
}

/**
 * @param {number} n
 * @param {string} one
 * @param {string} [many]
 */
export function plural(n, one, many = one + 's') {
  return `${count(n)} ${n === 1 ? one : many}`;
}
