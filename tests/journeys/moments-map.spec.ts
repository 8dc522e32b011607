import { atTheMoments } from './at-the-moments.ts'
import { expect, test } from './fixtures.ts'
import { expectNoBreach } from './no-breach.ts'

test('moments are found by place, on a map and in a list', async ({
  page,
  keeper,
}) => {
  const at = (body: string, place: object) => ({ body, place })
  const { address, list } = await atTheMoments(page, keeper, [
    at('Buns with Per.', { name: 'The quay', lat: 60.397, lng: 5.322 }),
    at('Late again.', { name: 'The quay', lat: 60.397, lng: 5.322 }),
    at('Sang the slow one.', { name: 'The old school', lat: 60.401, lng: 5.309 }),
    at('Far away.', { name: 'Kyoto', lat: 35.011, lng: 135.768 }),
    at('At her table.', { name: 'Mother’s' }),
  ])
  await page.getByRole('tab', { name: 'Map' }).click()
  await expect(page.getByRole('img', { name: 'A sketch of 3 places' })).toBeVisible()
  const places = page.getByRole('region', { name: 'Places' }).getByRole('button')
  await expect(places).toHaveText([/^The quay2 moments/, /One moment/, /One moment/, /One moment/])
  await expectNoBreach(page, 'the map')
  await page.getByRole('button', { name: 'Closer to The quay' }).click()
  await expect(page.getByRole('img', { name: 'A sketch of 2 places' })).toBeVisible()
  await page.getByRole('button', { name: 'Wider' }).click()
  await expect(page.getByRole('img', { name: 'A sketch of 3 places' })).toBeVisible()

  await places.first().click()
  const quay = page.getByRole('region', { name: 'The quay' })
  await expect(quay.getByRole('article')).toHaveText([/Late again\./, /Buns with Per\./])
  await page.reload()
  await expect(quay.getByRole('article'), 'the place is in the URL').toHaveCount(2)
  await places.filter({ hasText: 'Mother’s' }).click()
  await expect(page.getByRole('article').filter({ hasText: 'At her table.' })).toBeVisible()
  await expectNoBreach(page, 'the moments of a place')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(places, 'a phone has space for the place').toHaveCount(0)
  await page.getByRole('button', { name: 'All places' }).click()
  await expect(places).toHaveCount(4)
  expect(await list()).toHaveLength(5)
  await page.goto(`${address.replace(/[^/]+\/moments/, 'demo/moments')}?view=map`)
  await expect(page.getByRole('img', { name: 'A sketch of 2 places' }), 'samples have places too').toBeVisible()
})
