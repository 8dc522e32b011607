import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const requireFromBuilder = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
const { source } = requireFromBuilder('axe-core/axe.min.js') as { source: string }

const wcagTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** Only colors differ in dark mode. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** Checks WCAG 2.2 AA in light and dark mode; a violation fails the test at its end. */
export async function expectNoViolations(page: Page, label: string): Promise<void> {
  // The sticky header covers part of whatever scrolls below it, which axe counts as a small target.
  await page.evaluate(() => scrollTo(0, 0))
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-mode', colorScheme)
    // Waits for color transitions.
    await page.evaluate(() =>
      Promise.allSettled(
        document.getAnimations().flatMap((animation) => (animation instanceof CSSTransition ? animation.finished : [])),
      ),
    )
    const axeFilter = colorScheme === 'light' ? { tags: wcagTags } : { rules: colorRules }
    expect.soft(await findViolations(page, axeFilter), `${label}, ${colorScheme}`).toEqual([])
  }
}

export async function findViolations(page: Page, { tags, rules: ruleNames }: { tags?: string[]; rules?: string[] }) {
  // The builder would inject axe twice per check; the frames are sandboxed and can't answer.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const { violations } = await new AxeBuilder({ page, axeSource: 'void 0' })
    .setLegacyMode()
    .options({
      runOnly: tags ? { type: 'tag', values: tags } : { type: 'rule', values: ruleNames ?? [] },
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
