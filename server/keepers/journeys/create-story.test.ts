import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderStoryHtml, renderStoryMarkdown, type StoryBlock, toMarkdownLine } from './story.ts'

const anyBlock: fc.Arbitrary<StoryBlock> = fc.oneof(
  fc.record({
    kind: fc.constant('heading' as const),
    level: fc.constantFrom(1 as const, 2 as const),
    text: fc.string(),
  }),
  fc.record({ kind: fc.constant('item' as const), text: fc.string() }),
  fc.record({
    kind: fc.constant('paragraphs' as const),
    text: fc.string({ unit: fc.constantFrom('<', '>', '\n', '#', '"', 'a') }),
  }),
)

describe('a story', () => {
  it('escapes all content in HTML and closes every list', () => {
    fc.assert(
      fc.property(fc.array(anyBlock), fc.string(), (blocks, title) => {
        const html = renderStoryHtml(title, blocks)
        const tags = html.match(/<\/?[a-z!][^>]*>/g) ?? []
        expect(
          tags.filter(
            (tag) => !/^<(!doctype html|\/?(html|head|meta|title|style|body|h[1-3]|p|ul|li)\b[^<>]*)>$/.test(tag),
          ),
        ).toEqual([])
        expect((html.match(/<ul>/g) ?? []).length).toBe((html.match(/<\/ul>/g) ?? []).length)
      }),
    )
  })

  it('keeps headings on one line and escapes text in Markdown', () => {
    fc.assert(
      fc.property(fc.array(anyBlock), (blocks) => {
        const headings = renderStoryMarkdown(blocks).match(/^#{1,6}( |$)/gm) ?? []
        expect(headings.length).toBe(blocks.filter(({ kind }) => kind === 'heading').length)
      }),
    )
  })

  it.each([
    ['2. Go', '2\\. Go'],
    ['- dash', '\\- dash'],
    ['a *b* [c](d) <e>', 'a \\*b\\* \\[c\\](d) \\<e\\>'],
    ['two\n lines ', 'two lines'],
  ])('turns the title %j into the Markdown line %j', (title, line) => {
    expect(toMarkdownLine(title)).toBe(line)
  })
})
