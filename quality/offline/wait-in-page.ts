import type { Page } from '@playwright/test'

type FindTextbox = () => ReturnType<Page['locator']>

async function waitUntil(condition: () => Promise<boolean>, description: string): Promise<void> {
  const end = Date.now() + 60_000
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`${description}: not within a minute`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
export const waitUntilEmpty = (box: FindTextbox) =>
  waitUntil(async () => (await box().inputValue()) === '', 'the box is empty')
export const waitUntilEditable = (box: FindTextbox) => waitUntil(() => box().isEditable(), 'the box can be written in')
export const waitUntilContains = (box: FindTextbox, text: string) =>
  waitUntil(async () => (await box().isVisible()) && (await box().inputValue()).includes(text), text)
