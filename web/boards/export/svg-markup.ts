/** Created only by `element`, so that all text is escaped. */
export interface Markup {
  readonly markup: string
}
type Attributes = Record<string, string | number>

export function element(name: string, attributes: Attributes, ...children: readonly (Markup | string)[]): Markup {
  const attributeTexts = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeXml(formatAttribute(value))}"`,
  )
  const inside = children.map((child) => (typeof child === 'string' ? escapeXml(child) : child.markup)).join('')
  return { markup: `<${name}${attributeTexts.join('')}${inside === '' ? '/>' : `>${inside}</${name}>`}` }
}

/** Rounds to hundredths of a pixel. */
const formatAttribute = (value: string | number) =>
  typeof value === 'number' ? String(Math.round(value * 100) / 100) : value

/** Escapes markup and drops characters that XML forbids. */
function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML doesn’t allow control characters
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '')
      .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  )
}
