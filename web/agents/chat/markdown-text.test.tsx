import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import MarkdownText from './markdown-text.tsx'

const render = (text: string, streaming = false) =>
  renderToStaticMarkup(<MarkdownText text={text} streaming={streaming} />)

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
]

test.for(attacks.flatMap((text) => [[text, false] as const, [text, true] as const]))(
  '%s stays a text',
  ([text, streaming]) => {
    const html = render(text, streaming)
    expect(html).not.toMatch(/<(img|script|svg|iframe|style|form|details|object|embed|link|meta)[\s>/]/i)
    expect(html.replace(/>[^<]*</g, '><')).not.toMatch(/javascript:|vbscript:|data:|\son\w+=/i)
    for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^(https?:\/\/|mailto:)/)
  },
)

test('what has too much markup to be read in time is shown as it was written, and what is around it as Markdown', () => {
  const html = render(`**Before.**\n\n${'> '.repeat(3000)}deep\n\n**After.**`)
  expect(html).toContain('<strong class="font-semibold">Before.</strong>')
  expect(html).toContain(`<p class="wrap-break-word whitespace-pre-wrap">${'&gt; '.repeat(3000)}deep`)
  expect(html).toContain('<strong class="font-semibold">After.</strong>')
})

test('links open apart and carry nothing along', () => {
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
])('behind a link stands where it leads: %s', (text) => {
  for (const streaming of [false, true])
    expect(render(text, streaming)).toMatch(/<\/a><bdi[^>]*>\(evil\.example\)<\/bdi>/)
})

test('behind an address, and behind a link of the reader, stands nothing more', () => {
  expect(render('See https://ok.example/guide and www.ok.example')).not.toContain('<bdi')
  expect(renderToStaticMarkup(<MarkdownText text="[x](https://ok.example)" streaming={false} own />)).not.toContain(
    '<bdi',
  )
})

test('what was written as HTML can still be read', () => {
  expect(render('Use <Foo> here')).toContain('Use &lt;Foo&gt; here')
})

test('while words come the caret stands behind the last one, and afterwards nowhere', () => {
  expect(render('One.\n\n- two', true)).toMatch(/two<\/span><span aria-hidden="true"[^>]*><\/span><\/li>/)
  expect(render('One.\n\n- two')).not.toContain('aria-hidden="true"')
})

test.each([
  ['paragraphs', 'One two.\n\nThree four', ['Three ', 'four']],
  ['items', '- one two\n- three four', ['three ', 'four']],
  ['rows', '| a | b |\n|---|---|\n| one | two |\n| three | four |', ['three', 'four']],
])('of %s only the last has words that fade in', (_, text, fading) => {
  const words = [...render(text, true).matchAll(/<span class="animate-word">([^<]*)<\/span>/g)].map(([, word]) => word)
  expect(words).toEqual(fading)
})

/** What fades in, and what stands before the caret. */
function atTheEndOf(text: string): { fading: string; before: string } {
  const html = render(text, true)
  const fading = [...html.matchAll(/<span class="animate-word">([^<]*)<\/span>/g)].map(([, word]) => word).join('')
  const before = html.slice(0, html.indexOf('<span aria-hidden="true"')).replaceAll(/<[^>]*>/g, '')
  return { fading, before }
}

test('a title does not fade in again with each address of a link below it', () => {
  const title = '### Sources\n\n'
  expect(atTheEndOf(title.trimEnd()).fading).toBe('Sources')
  for (const begun of [
    '[1',
    '[1]:',
    '[1]: h',
    '[1]: https://a.example',
    '[1]: https://a.example\n[2]: https://b.example',
  ])
    expect(atTheEndOf(`${title}${begun}`).fading).not.toContain('Sources')
})

test('behind a footnote the words of the next paragraph fade in and carry the caret, not those of the note', () => {
  const { fading, before } = atTheEndOf('See this.[^1]\n\n[^1]: The note.\n\nAnd now it goes on')
  expect(fading).toBe('And now it goes on')
  expect(before).toMatch(/And now it goes on$/)
  expect(atTheEndOf('See this.[^1]\n\n[^1]: The note').fading.trim()).toMatch(/^The note/)
})

test('HTML fades in as the words it is shown as', () => {
  expect(atTheEndOf('Written as\n\n<b>three words').fading).toBe('&lt;b&gt;three words')
})

test('numbers of sources lead to their footnotes; other brackets, code and links stay what they are', () => {
  const html = renderToStaticMarkup(
    <MarkdownText
      text={'Sour cream.[2] Or [3] `a[1]` [1](https://ok.example) **so[1][2]**'}
      streaming={false}
      notes={{ prefix: 'note-m', numbers: [1, 2] }}
    />,
  )
  const marks = [...html.matchAll(/<sup[^>]*><a href="([^"]*)" aria-label="Source (\d)"/g)]
  expect(marks.map(([, href, n]) => [href, n])).toEqual([
    ['#note-m-2', '2'],
    ['#note-m-1', '1'],
    ['#note-m-2', '2'],
  ])
  expect(html).toContain('Or [3] ')
  expect(html).toContain('a[1]</code>')
  expect(html).toMatch(/<a href="https:\/\/ok\.example"[^>]*>1<\/a>/)
  expect(render('Plain [1] text')).not.toContain('<sup')
})
