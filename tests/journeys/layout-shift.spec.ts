import type { Page } from '@playwright/test'
import { createContent, listQueryPaths, paths, resolvePath } from './all-routes.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expect, test } from './fixtures.ts'
import { delayAnswers, findWorstWindow, readShifts, recordShifts } from './layout-shifts.ts'

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
const maxShift = 0.05
const mainPages = ['/root', '/keeper/:id/dashboard', '/studio/agents', '/admin/users']
const shardCount = 4

test('the main pages load without layout shifts when answers are slow', async ({ page, keeper }) => {
  test.setTimeout(120_000)
  const params = await createContent(page, keeper)
  await expectNoLayoutShifts(
    page,
    mainPages.map((path) => resolvePath(path, params)),
  )
})

for (let shard = 0; shard < shardCount; shard++) {
  test(`every page loads without layout shifts (${shard + 1} of ${shardCount}) @long`, async ({ page, keeper }) => {
    test.setTimeout(400_000)
    const addresses = await listAddresses(page, keeper)
    await expectNoLayoutShifts(
      page,
      addresses.filter((_, index) => index % shardCount === shard),
    )
  })
}

async function listAddresses(page: Page, keeper: BuiltKeeper): Promise<string[]> {
  const params = await createContent(page, keeper)
  return [
    ...paths.filter((path) => !mainPages.includes(path)).map((path) => resolvePath(path, params)),
    ...listQueryPaths(params),
  ]
}

async function expectNoLayoutShifts(page: Page, addresses: readonly string[]): Promise<void> {
  const waitForAnswers = await delayAnswers(page)
  await recordShifts(page)
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const address of addresses) {
      await page.goto(address)
      await waitForAnswers()
      await expect.soft(page.locator('main .animate-shimmer'), `${address} has loaded`).toHaveCount(0)
      const { sum, moved } = findWorstWindow(await readShifts(page))
      const report = [`${address} at ${size.width} × ${size.height} moved:`, ...moved].join('\n')
      expect.soft(sum, report).toBeLessThanOrEqual(maxShift)
    }
  }
}
