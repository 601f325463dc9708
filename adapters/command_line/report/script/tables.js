/* What the script adds to the tables of the page: bars, and sorting by a press on a header. */

function addBars(table) {
  const rows = Array.from(table.tBodies[0].rows);
  const columns = table.tHead.rows[0].cells.length;
  for (let column = 1; column < columns; ++column) {
    const cells = rows.map((row) => row.cells[column]);
    const most = Math.max(...cells.map((cell) => Number(cell.dataset.value) || 0));
    for (const cell of cells) {
      const share = most > 0 ? (Number(cell.dataset.value) || 0) / most : 0;
      cell.style.setProperty('--share', `calc((100% - 8px) * ${share.toFixed(4)})`);
    }
  }
}

function sortKey(row, column) {
  const cell = row.cells[column];
  if (column === 0) return cell.textContent;
  return cell.dataset.value === undefined ? Infinity : Number(cell.dataset.value);
}

function sortBy(table, column) {
  const header = table.tHead.rows[0].cells[column];
  const order = header.getAttribute('aria-sort') === 'ascending' ? 'descending' : 'ascending';
  for (const cell of table.tHead.rows[0].cells) cell.removeAttribute('aria-sort');
  header.setAttribute('aria-sort', order);
  const sign = order === 'ascending' ? 1 : -1;
  const rows = Array.from(table.tBodies[0].rows);
  rows.sort((a, b) => {
    const [left, right] = [sortKey(a, column), sortKey(b, column)];
    return left < right ? -sign : left > right ? sign : 0;
  });
  table.tBodies[0].append(...rows);
}

function makeSortable(table) {
  Array.from(table.tHead.rows[0].cells).forEach((cell, column) => {
    const button = html('button', {type: 'button', class: 'sort'}, ...cell.childNodes);
    button.addEventListener('click', () => sortBy(table, column));
    cell.append(button);
  });
}

function improveTables() {
  for (const table of document.querySelectorAll('main table.figures[data-static], main table.figures:not([id])')) {
    addBars(table);
    makeSortable(table);
  }
}
