// node page.cjs CHROMIUM BANK HOSTILE LARGE EMPTY DEMO PAIRS SHOT: the page of the
// report in a browser. Prints a TAP line a check.
'use strict';
const { chromium } = require('playwright-core');
const [browser, bank, hostile, large, empty, demo, pairs, heap, many, shot,
  explored] =
  process.argv.slice(2);

let number = 0;
function check(what, good, seen) {
  number++;
  console.log(`${good ? 'ok' : 'not ok'} ${number} - ${what}`);
  if (!good)
    console.log('#', JSON.stringify(seen));
}

async function open(context, file) {
  const page = await context.newPage();
  page.errors = [];
  page.on('pageerror', error => page.errors.push(error.message));
  page.on('request', request => {
    if (!request.url().startsWith('file:'))
      page.errors.push('asked for ' + request.url());
  });
  await page.goto('file://' + file);
  return page;
}

const text = (page, selector) => page.locator(selector).innerText();
const count = (page, selector) => page.locator(selector).count();

async function testBank(context) {
  const page = await open(context, bank);
  check('title names the finding',
    /^1\. race on last_customer/.test(await text(page, '#title')),
    await text(page, '#title'));
  check('both accesses are shown with source',
    await count(page, '.access pre .hit') === 2);
  check('lanes are threads',
    (await text(page, '#predicted .lanes')).split(/\s+/).join() ===
      'main,teller,auditor', await text(page, '#predicted .lanes'));
  check('claimed events are marked in both orders',
    await count(page, '#predicted .claimed') === 2
      && await count(page, '#observed .claimed') === 2);
  check('held locks are bars', await count(page, '#predicted .bar') >= 1);
  check('reads-from is an arrow in the observed order',
    await count(page, '#observed svg path') === 1
      && await count(page, '#predicted svg path') === 0);

  const before = await text(page, '#where');
  await page.keyboard.press('Home');
  const first = await text(page, '#where');
  await page.keyboard.press('j');
  const second = await text(page, '#where');
  check('Home goes to the first step', /^1 of \d+: main fork/.test(first),
    first);
  check('j steps on', /^2 of /.test(second) && before !== first, second);
  await page.keyboard.press('ArrowUp');
  check('arrow up steps back', await text(page, '#where') === first);
  await page.click('#last');
  check('the button goes to the last step',
    /auditor r\(last_customer/.test(await text(page, '#where')),
    await text(page, '#where'));
  check('one row is selected',
    await count(page, '#predicted [aria-selected=true]') === 1);

  const folded = await count(page, '#predicted .row');
  await page.keyboard.press('u');
  check('u shows all events', await count(page, '#predicted .fold') === 0
    && await count(page, '#predicted .row') > folded);
  await page.click('#predicted .row:first-of-type');
  check('a click goes to the row', /^1 of /.test(await text(page, '#where')));

  await page.fill('#filter', 'nothing-like-it');
  check('the filter hides',
    await text(page, '#shown') === '0 of 1 findings'
      && await page.locator('#article').isHidden());
  await page.fill('#filter', 'bank.c race');
  check('the filter finds by file and kind',
    await text(page, '#shown') === '1 of 1 findings');
  await page.uncheck('#kinds input');
  check('kinds can be left out', await text(page, '#shown')
    === '0 of 1 findings');
  await page.check('#kinds input');
  await page.uncheck('#levels input[value=error]');
  check('and levels', await text(page, '#shown') === '0 of 1 findings');
  await page.check('#levels input[value=error]');

  const colour = () => page.evaluate(() =>
    getComputedStyle(document.body).backgroundColor);
  const light = await colour();
  await page.click('#theme');
  check('dark and light differ', light !== await colour());
  await page.click('#theme');
  const unnamed = await page.evaluate(() => [...document.querySelectorAll(
    'button, input')].filter(node => !node.textContent.trim()
      && !node.closest('label') && !node.getAttribute('aria-label')).length);
  check('every control has a name', unnamed === 0, unnamed);
  check('no errors, nothing fetched', page.errors.length === 0, page.errors);
  await page.close();
}

async function testExplored(context) {
  const page = await open(context, explored);
  check('the ending of an exploration is told',
    /^complete: \d+ runs, \d+ behaviours, .* 1 behaviours? fail/.test(
      await text(page, '#ending')), await text(page, '#ending'));
  const lines = await page.evaluate(() => [...document.querySelectorAll(
    '#curve polyline')].map(line => [line.getAttribute('class'),
      line.getAttribute('points').split(' ').at(-1)]));
  check('its curves end where all is known',
    lines.length === 3 && lines.every(([, last]) => last === '600.0,0.0'),
    lines);
  check('the failing run is listed',
    /^Aborted\s+\d+\s+1\s+\d+$/.test(await text(page, '#failing tbody')),
    await text(page, '#failing tbody'));
  await page.click('#failing button');
  check('and leads to its finding',
    /failure/.test(await text(page, '#title')), await text(page, '#title'));
  check('no errors', page.errors.length === 0, page.errors);
  await page.close();
}

async function testHostile(context) {
  const page = await open(context, hostile);
  check('strings of the program are text',
    await page.evaluate(() => window.stolen === undefined)
      && await count(page, 'main img, main b i') === 0
      && (await text(page, '#title')).includes('</script>'),
    await text(page, '#title'));
  await page.click('#list button[data-id="2"]');
  const all = await page.evaluate(() => document.body.innerText);
  check('and turn no direction',
    !/[\x1b\x7f-\x9f\u202e]/.test(all) && !/^\[99\]/m.test(all)
      && all.includes('turned \\xe2\\x80\\xae\\x1b[31m\\xc2\\x9b1m\\x0a[99] race'),
    all);
  check('no errors', page.errors.length === 0, page.errors);
  await page.close();
}

async function testLarge(context) {
  const page = await open(context, large);
  check('100,000 events are folded', await count(page, '#predicted .row') < 50);
  await page.keyboard.press('u');
  const rows = await count(page, '#predicted .row');
  check('unfolded, only what is in sight is in the document',
    rows > 10 && rows < 300, rows);
  await page.keyboard.press('End');
  check('the last step is reached',
    /^(\d{5}) of \1: /.test(await text(page, '#where')),
    await text(page, '#where'));
  check('what there was no room for is a gap',
    /in part/.test(await text(page, '#left')), await text(page, '#left'));
  await page.keyboard.press('Home');
  check('of all the others', /^1 of \d+: T1 [89]\d\d\d\d events$/.test(
    await text(page, '#where')), await text(page, '#where'));
  await page.keyboard.press('End');
  check('and in sight', await page.locator('#predicted .now').isVisible());
  check('no errors', page.errors.length === 0, page.errors);
  await page.close();
}

// Long names: nothing is cut, what does not fit is scrolled to.
async function testHeap(context) {
  const page = await open(context, heap);
  await page.keyboard.press('u');
  await page.keyboard.press('End');
  const cut = await page.evaluate(() => [...document.querySelectorAll(
    '.row, .lanes span, td, th, #list button, .access p')]
    .filter(node => node.scrollWidth > node.clientWidth + 1)
    .map(node => [node.className, node.textContent, node.scrollWidth,
                  node.clientWidth]));
  check('no label and no column is cut', cut.length === 0, cut);
  const lanes = await page.evaluate(() => [...document.querySelectorAll(
    '#predicted .row')].map(row => [row.offsetLeft,
                                    row.offsetLeft + row.offsetWidth]));
  const starts = [...new Set(lanes.map(l => l[0]))].sort((a, b) => a - b);
  check('nor does it reach into the next lane', starts.length > 1
    && lanes.every(([from, to]) => starts.every(s => s <= from || to <= s)),
    lanes);
  check('the step is scrolled to', await page.evaluate(() => {
    const box = document.querySelector('#predicted').getBoundingClientRect();
    const row = document.querySelector('#predicted .now')
      .getBoundingClientRect();
    return row.left >= box.left - 1 && row.left < box.right - 20;
  }));
  check('memory has the place and stack of its allocation',
    /heap block of 16 bytes( \(struct \w+\))?, allocated by T0/.test(await text(page, '#objects'))
      && await count(page, '#objects li') === 3, await text(page, '#objects'));
  check('no errors', page.errors.length === 0, page.errors);
  await page.close();
}

async function testMany(context) {
  const page = await open(context, many);
  check('findings that there is no room for are counted',
    /^\d+ findings are not on this page/.test(await text(page, '#left')),
    await text(page, '#left'));
  check('the others are there', await count(page, '#list button') >= 10,
    await count(page, '#list button'));
  check('no errors', page.errors.length === 0, page.errors);
  await page.close();
}

async function testEmpty(context) {
  const page = await open(context, empty);
  check('no findings: says so', await page.locator('#nothing').isVisible()
    && await page.locator('#article').isHidden());
  check('no errors', page.errors.length === 0, page.errors);
  await page.close();
}

// Nothing but the keyboard, and what a screen reader is told.
async function testKeys(page) {
  const focused = () => page.evaluate(() => {
    const node = document.activeElement;
    return node.id || node.className || node.tagName;
  });
  const met = [];
  for (let i = 0; i < 60 && await focused() !== 'predicted'; i++) {
    await page.keyboard.press('Tab');
    met.push(await focused());
  }
  check('Tab reaches skip link, filter, steps and diagram',
    ['skip', 'filter', 'first', 'next', 'predicted'].every(
      name => met.includes(name)), met);
  await page.keyboard.press('ArrowDown');
  const told = await page.evaluate(() => {
    const box = document.activeElement;
    const row = document.getElementById(
      box.getAttribute('aria-activedescendant'));
    return { role: box.getAttribute('role'), row: row && row.getAttribute('role'),
      label: row && row.getAttribute('aria-label'),
      chosen: row && row.getAttribute('aria-selected'),
      size: row && Number(row.getAttribute('aria-setsize')),
      where: document.getElementById('where').getAttribute('aria-live') };
  });
  check('a screen reader hears the step',
    told.role === 'listbox' && told.row === 'option' && told.chosen === 'true'
      && told.size > 1 && told.where === 'polite'
      && /^T\d+ \S+/.test(told.label), told);
  await page.keyboard.press(']');
  check('] goes to the next finding', /^2\. /.test(await text(page, '#title')),
    await text(page, '#title'));
  await page.keyboard.press('[');
  await page.keyboard.press('/');
  check('/ goes to the filter', await focused() === 'filter', await focused());
  await page.keyboard.type('deadlock');
  check('which is typed into, also letters that are keys',
    /^1 of \d+ findings$/.test(await text(page, '#shown'))
      && await page.inputValue('#filter') === 'deadlock',
    await page.inputValue('#filter'));
  await page.fill('#filter', '');
}

async function testTree(page) {
  const landmarks = await page.evaluate(() => ({
    main: document.querySelectorAll('main').length,
    nav: document.querySelectorAll('nav[aria-label]').length,
    h1: document.querySelectorAll('h1').length,
    lang: document.documentElement.lang,
    colour: [...document.querySelectorAll('#list button')].every(
      node => /race|deadlock|atomic|nondet|read|property/i.test(node.textContent)),
  }));
  check('landmarks, headings and language are there', landmarks.main === 1
    && landmarks.nav === 1 && landmarks.h1 === 1 && landmarks.lang === 'en',
    landmarks);
  check('kinds are words, not only colours', landmarks.colour, landmarks);
}

// By WCAG 2: of text on the page's background, in both themes.
const contrast = page => page.evaluate(() => {
  const light = colour => {
    const [r, g, b] = colour.match(/\d+/g).map(Number).map(
      v => v / 255).map(v => v <= 0.04045 ? v / 12.92
        : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const back = light(getComputedStyle(document.body).backgroundColor);
  return Math.min(...['body', '#summary', '#title', '.hint', '#shown'].map(
    name => {
      const front = light(getComputedStyle(
        document.querySelector(name)).color);
      return (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
    }));
});

// For the README: doc/report.png.
async function takeShot(page) {
  await page.setViewportSize({ width: 1280, height: 1060 });
  await page.click('#list li:nth-child(2) button');
  await page.click('#last');
  await page.evaluate(() => {
    document.activeElement.blur();
    scrollTo(0, 0);
  });
  await page.screenshot({ path: shot });
}

// What changes from step to step: values, the source, the other diagram.
async function testSteps(page) {
  const values = () => page.locator('#values tbody tr').allInnerTexts();
  const now = name => page.locator(`#${name} .now`).getAttribute('aria-label');
  await page.fill('#filter', 'nondet');
  await page.keyboard.press('Enter');
  check('the order of a nondeterministic read is told in words',
    / (wcr|crw|cr): \w+ write .* read/.test(await text(page, '#summary')),
    await text(page, '#summary'));
  await page.click('#first');
  const before = await values();
  await page.click('#last');
  const after = await values();
  check('the values of the variables are those of the step',
    before.length === 0 && after.length > 0
      && after.every(row => /^\S+\s+\S+\s+(initial|T\d at \S+:\d+)$/.test(row)),
    { before, after });
  check('the step is shown in both orders',
    await now('predicted') === await now('observed'), await now('observed'));
  const order = name => page.locator(`#${name} .claimed`).evaluateAll(
    rows => rows.map(row => row.getAttribute('aria-label')));
  const predicted = await order('predicted'), seen = await order('observed');
  check('the two orders are not the same, of the same events',
    predicted.join() !== seen.join()
      && predicted.sort().join() === seen.sort().join(), [predicted, seen]);
  await page.click('#first');
  const aim = page.locator('#observed .claimed').last();
  const wanted = await aim.getAttribute('aria-label');
  await aim.click();
  check('a click in the observed order goes there in both',
    await now('predicted') === wanted && await now('observed') === wanted
      && (await text(page, '#source')).length > 0,
    [wanted, await now('predicted'), await now('observed')]);
  await page.click('#first');
  const place = await page.locator('#observed .claimed').last().boundingBox();
  await page.mouse.move(place.x + 5, place.y + place.height / 2);
  await page.mouse.down();
  await page.evaluate(() =>
    document.querySelector('#observed').dispatchEvent(new Event('scroll')));
  await page.mouse.up();
  check('… also if the box scrolls between press and release',
    await now('observed') === wanted, [wanted, await now('observed')]);
  check('arrows lead to who reads in the predicted order',
    await count(page, '#predicted svg path') > 0);
  await page.fill('#filter', '');
}

async function testFrames(page) {
  await page.fill('#filter', 'deadlock');
  const frames = await page.locator('.access details li').allTextContents();
  check('stacks have the lines of the calls',
    frames.includes('counter examples/savings.c:60')
      && frames.includes('machine examples/savings.c:71'), frames);
  await page.click('#copy');
  await page.waitForFunction(
    () => document.getElementById('copied').textContent);
  const taken = await page.evaluate(() => getSelection().toString()
    || document.getElementById('copied').textContent);
  check('the command can be copied',
    taken === 'copied' || taken === await text(page, '#command'), taken);
  await page.fill('#filter', '');
}

async function testDemo(context) {
  const page = await open(context, demo);
  check('all findings are listed', await count(page, '#list button') >= 6,
    await count(page, '#list button'));
  check('confirmed, with the command', /confirmed/.test(
    await text(page, '#summary') + await text(page, '#title'))
    && /^omen replay \S+witness\/1 -- \.\/savings$/.test(
      await text(page, '#command')), await text(page, '#command'));
  check('source is beside it', /last_customer/.test(await text(page, '#source')),
    await text(page, '#source'));
  await testKeys(page);
  await testTree(page);
  await testSteps(page);
  await testFrames(page);
  await page.click('#list li:first-child button');
  await takeShot(page);
  for (const scheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: scheme });
    const ratio = await contrast(page);
    check(`${scheme}: text can be read`, ratio >= 4.5, ratio);
  }
  check('no errors, nothing fetched', page.errors.length === 0, page.errors);
  await page.close();
}

async function testPairs(context) {
  const page = await open(context, pairs);
  check('one finding for a block', await count(page, '#list button') === 2);
  check('its other pairs are folded',
    /^4 more pairs of accesses$/.test((await text(page, '#more')).trim()),
    await text(page, '#more'));
  await page.click('#more summary');
  check('and listed', await count(page, '#more li') === 4
    && /on b and c: pairs\.c:\d+, /.test(await text(page, '#more')),
    await text(page, '#more'));
  check('a warning is called one',
    /warning/.test(await text(page, '#title')), await text(page, '#title'));
  await page.keyboard.press(']');
  check('of other findings there are none', await page.isHidden('#more'));
  await page.fill('#filter', 'atomicity c');
  check('the filter knows their variables',
    await count(page, '#list button') === 1);
  check('no errors', page.errors.length === 0, page.errors);
  await page.close();
}

(async () => {
  const running = await chromium.launch({ executablePath: browser, args: [
    '--no-sandbox', '--disable-gpu', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--no-first-run'] });
  const context = await running.newContext(
    { viewport: { width: 1400, height: 900 }, colorScheme: 'light' });
  await testBank(context);
  await testExplored(context);
  await testHostile(context);
  await testLarge(context);
  await testEmpty(context);
  await testHeap(context);
  await testMany(context);
  await testDemo(context);
  await testPairs(context);
  await running.close();
})().catch(error => {
  console.log('not ok - the browser\n#', error.stack);
  process.exitCode = 1;
});
