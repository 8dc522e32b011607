import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Button } from './controls/button.tsx'
import { Pagination } from './controls/pagination.tsx'
import { Tabs } from './controls/tabs.tsx'
import { Cover } from './drawings/cover.tsx'
import { Landscape } from './drawings/landscape.tsx'
import { Seal } from './drawings/seal.tsx'
import { RangeField } from './fields/range-field.tsx'
import { TextArea } from './fields/text-area.tsx'
import { TextField } from './fields/text-field.tsx'
import { CodeBlock } from './text/code-block.tsx'

const html = renderToStaticMarkup

test('an error replaces the help, and the field references it', () => {
  const valid = html(<TextField id="slug" label="Slug" help="Lowercase letters" />)
  expect(valid).toContain('aria-describedby="slug-note"')
  expect(valid).not.toContain('aria-invalid="')

  const invalid = html(<TextField id="slug" label="Slug" help="Lowercase letters" error="No spaces" />)
  expect(invalid).toContain('aria-invalid="true"')
  expect(invalid).toContain('No spaces')
  expect(invalid).not.toContain('Lowercase letters')
})

test('a required field is announced and shows an asterisk', () => {
  const field = html(<TextField id="title" label="Title" required />)
  expect(field).toContain('aria-required="true"')
  expect(field).toMatch(/<span aria-hidden="true"[^>]*>\*<\/span>/)
})

test('a text area keeps a text that is too long and shows by how much', () => {
  const renderText = (value: string) => html(<TextArea label="Entry" value={value} readOnly maxLength={5} />)
  expect(renderText('fives')).not.toContain('aria-invalid="')
  expect(renderText('sevenths')).toContain('3 characters too long. The maximum is 5.')
  expect(renderText('sevenths'), 'the browser would cut off the end of a pasted text').not.toMatch(/maxlength/i)
})

test('a slider shows its exact value with the decimals of its step', () => {
  const getValueTexts = (value: number) => {
    const field = html(<RangeField label="Temperature" min={0} max={2} step={0.1} value={value} />)
    return [/<output[^>]*>([^<]*)/.exec(field)?.[1], /aria-valuetext="([^"]*)"/.exec(field)?.[1]]
  }
  expect([0.7, 1, 0.25, 0.95].map(getValueTexts)).toEqual(['0.7', '1.0', '0.25', '0.95'].map((text) => [text, text]))
})

test('a busy button shows only its busy label and can keep focus', () => {
  const busy = html(
    <Button busy busyLabel="Creating Agent...">
      Create Agent
    </Button>,
  )
  expect(busy.replace(/<[^>]*>/g, '')).toBe('Creating Agent...')
  expect(busy).toContain('aria-disabled="true"')
  expect(busy).not.toMatch(/\sdisabled=""/)
})

test('only one tab is in the tab order, and a disabled one is announced', () => {
  const tabs = html(
    <Tabs
      label="Agents"
      value="registry"
      onValueChange={() => undefined}
      tabs={[
        { id: 'registry', label: 'Registry', count: 3 },
        { id: 'logs', label: 'Logs', disabled: true },
      ]}
    >
      panel
    </Tabs>,
  )
  expect(tabs.match(/tabindex="0"/g)).toHaveLength(1)
  expect(tabs).toMatch(/aria-selected="false" aria-disabled="true"/)
})

test('the first page has no previous page, and zero pages read as one', () => {
  const pages = html(<Pagination page={1} pageCount={0} onPageChange={() => undefined} />)
  expect(pages.replace(/<[^>]*>/g, ' ')).toContain('Page 1 of 1')
  expect(pages.match(/disabled=""/g)).toHaveLength(2)
})

test('highlighted JSON keeps every character', () => {
  const value = { text: 'a "quoted" {"x": 1}, true', n: -1.5e-7, list: [null, true], nested: { 'key:': '' } }
  const markup = html(<CodeBlock label="Output" value={value} copyable={false} />)
  const text = markup.replace(/<[^>]*>/g, '').replaceAll('&quot;', '"')
  expect(JSON.parse(text)).toEqual(value)
})

test('a drawing depends only on its seed and has no style attribute', () => {
  const draw = (seed: string) =>
    html(
      <>
        <Cover seed={seed} ribbon />
        <Seal name={seed} color="#336699" />
        <Landscape seed={seed} width={400} height={300} />
      </>,
    )
  expect(draw('harbour')).toBe(draw('harbour'))
  expect(draw('harbour')).not.toBe(draw('kitchen'))
  expect(draw('harbour')).not.toContain('style=')
})

test('a seal draws the default avatar, and writes any other', () => {
  expect(html(<Seal name="Front Desk" kind="Lead" avatar="🤖" />)).not.toContain('<text')
  expect(html(<Seal name="Front Desk" kind="Lead" avatar="🦉" />)).toContain('🦉')
})
