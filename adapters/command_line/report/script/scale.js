/* Elements and axes. All text goes into the page as text, never as markup. */

const SVG = 'http://www.w3.org/2000/svg';

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function html(tag, attributes = {}, ...children) {
  const element = setAttributes(document.createElement(tag), attributes);
  element.append(...children);
  return element;
}

function svg(tag, attributes = {}, ...children) {
  const element = setAttributes(document.createElementNS(SVG, tag), attributes);
  element.append(...children);
  return element;
}

/** A name from outside, kept apart from the direction of the text around it. */
function nameElement(name) {
  return html('bdi', {}, name);
}

/** A name of bounded length for places with little room; the middle is left out. */
function shortName(name, most = 28) {
  const letters = Array.from(name.slice(0, 4 * most));
  if (letters.length <= most && letters.join('') === name) return name;
  return letters.slice(0, most - 8).join('') + '…' + Array.from(name.slice(-32)).slice(-7).join('');
}

function linearTicks(most, count) {
  if (!(most > 0)) return [0];
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough);
  const ticks = [];
  for (let i = 0; i * step <= most * 1.0001; ++i) ticks.push(i * step);
  return ticks;
}

const TIME_TICKS = [1e-3, 1e-2, 0.1, 1, 10, 60, 600, 3600, 21600, 86400, 864000, 8640000, 8.64e7, 8.64e8, 8.64e9, 8.64e10, 8.64e11];

function decadeTicks(low, high) {
  const ticks = [];
  for (let power = Math.ceil(Math.log10(low) - 1e-9); power <= Math.log10(high) + 1e-9; ++power) ticks.push(10 ** power);
  return ticks;
}

/** The ticks that leave each other room. */
function withRoom(ticks, place, room) {
  let last = -Infinity;
  return ticks.filter((tick) => {
    if (place(tick) - last < room) return false;
    last = place(tick);
    return true;
  });
}

/** The line below a chart that tells what the pointer is at. */
function readingLine() {
  return html('p', {class: 'reading'}, 'Point at the chart to read its values here.');
}

/** Draws a figure's chart anew whenever its width changes; `draw(width)` returns an SVG. */
function keepDrawn(figure, draw) {
  const holder = html('div', {class: 'holder'});
  figure.append(holder);
  let width = 0;
  const redraw = () => {
    const now = Math.max(240, Math.floor(holder.clientWidth));
    if (now === width) return;
    width = now;
    holder.replaceChildren(draw(width));
  };
  new ResizeObserver(redraw).observe(holder);
  redraw();
}
