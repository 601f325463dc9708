/* Numbers as people read them. */

const numberFormat = new Intl.NumberFormat('en', {maximumFractionDigits: 0});
const UNITS = [['d', 86400], ['h', 3600], ['min', 60], ['s', 1], ['ms', 1e-3], ['µs', 1e-6]];

function countText(value) {
  return numberFormat.format(value);
}

function roundedText(value) {
  if (value === 0) return '0';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return Math.abs(value) >= 1000 ? countText(value) : String(Number(value.toFixed(digits)));
}

function percentText(share) {
  const percent = 100 * share;
  return (percent > 0 && percent < 0.1 ? '< 0.1' : percent.toFixed(percent >= 99.95 || percent === 0 ? 0 : 1)) + ' %';
}

/** A length of time in its largest unit and, if there is any, the next: `3 h 12 min`. */
function durationText(seconds) {
  if (!(seconds > 0)) return '0 s';
  if (seconds < 1) return seconds >= 1e-3 ? roundedText(seconds * 1e3) + ' ms' : roundedText(seconds * 1e6) + ' µs';
  if (seconds < 60) return roundedText(seconds) + ' s';
  const large = UNITS.findIndex(([, size]) => seconds >= size);
  const [name, size] = UNITS[large];
  const [smallName, smallSize] = UNITS[large + 1];
  const smalls = Math.round(seconds / smallSize);
  const perLarge = size / smallSize;
  const whole = Math.floor(smalls / perLarge);
  const rest = smalls % perLarge;
  return countText(whole) + ' ' + name + (rest > 0 && whole < 1000 ? ' ' + rest + ' ' + smallName : '');
}

/** A tick of a logarithmic time axis. */
function shortDurationText(seconds) {
  const [name, size] = UNITS.find(([, unit]) => seconds >= unit * 0.999) || UNITS[UNITS.length - 1];
  return roundedText(seconds / size) + ' ' + name;
}

/** Steps that people count time in, in seconds. */
function timeStep(span, count) {
  const steps = [1e-3, 5e-3, 0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800,
                 21600, 43200, 86400, 172800, 432000, 864000, 1728000, 4320000, 8640000];
  const wanted = span / Math.max(1, count);
  return steps.find((step) => step >= wanted) || 10 ** Math.ceil(Math.log10(wanted / 86400)) * 86400;
}

/** An instant since the first submission, written as finely as the steps between such instants need. */
function instantText(seconds, step) {
  if (step >= 86400) return 'day ' + countText(Math.round(seconds / 86400));
  const days = Math.floor(seconds / 86400 + 1e-9);
  const hours = Math.floor((seconds - days * 86400) / 3600 + 1e-9);
  if (step >= 3600) return days > 0 || seconds === 0 ? (hours === 0 ? 'day ' + days : days + ' d ' + hours + ' h') : hours + ' h';
  const minutes = Math.floor((seconds - days * 86400 - hours * 3600) / 60 + 1e-9);
  const prefix = (days > 0 ? days + ' d ' : '') + String(hours).padStart(2, '0') + ':' + String(minutes).padStart(2, '0');
  if (step >= 60) return prefix;
  const rest = seconds - days * 86400 - hours * 3600 - minutes * 60;
  return prefix + ':' + rest.toFixed(step >= 1 ? 0 : 3).padStart(step >= 1 ? 2 : 6, '0');
}
