import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const ofBuilder = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
const { source } = ofBuilder('axe-core') as { source: string }

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** By night only the colours are different. */
const colours = ['color-contrast', 'link-in-text-block']

/** Holds what is in sight against WCAG 2.2 AA, by day and by night; a breach fails the journey at its end. */
export async function expectNoBreach(page: Page, where: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-mode', colorScheme)
    // Colours change over a moment, and halfway they are neither.
    await page.evaluate(() =>
      Promise.allSettled(
        document.getAnimations().flatMap((each) => (each instanceof CSSTransition ? each.finished : [])),
      ),
    )
    const only = colorScheme === 'light' ? { tags: rules } : { rules: colours }
    expect.soft(await breaches(page, only), `${where}, ${colorScheme}`).toEqual([])
  }
}

/** Each breach of these rules with what breaks it. */
export async function breaches(page: Page, { tags, rules: named }: { tags?: string[]; rules?: string[] }) {
  // The builder would send and compile its half a megabyte twice for every look; the pages in frames are sandboxed and answer nobody.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const { violations } = await new AxeBuilder({ page, axeSource: 'void 0' })
    .setLegacyMode()
    .options({
      runOnly: tags ? { type: 'tag', values: tags } : { type: 'rule', values: named ?? [] },
      ...(tags && { rules: { 'label-content-name-mismatch': { enabled: true } } }),
      resultTypes: ['violations'],
      iframes: false,
    })
    .analyze()
  return violations.map(({ id, nodes }) => ({
    rule: id,
    at: nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary?.split('\n')[1]?.trim()}`),
  }))
}
