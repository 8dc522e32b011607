import { expect, test } from './fixtures.ts'
import { openMoments } from './open-moments.ts'

test.use({ permissions: ['microphone'] })

test('a recording shows its length after a reload and can be moved @long', async ({ page, keeper }) => {
  const { id } = await openMoments(page, keeper)
  await page.goto(`/keeper/${id}/voice-panel`)
  await page.getByRole('button', { name: 'Add Voice Entry' }).first().click()
  const form = page.getByRole('form', { name: 'New voice entry' })
  await form.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(form.getByRole('timer')).toHaveText('0:04', { timeout: 20_000 })
  await form.getByRole('button', { name: 'Stop' }).click()
  await expect(form.locator('audio')).toHaveAttribute('src', /^blob:/)
  await form.getByLabel('Label').fill('Promises')
  await form.getByLabel('Belief').fill('A promise is kept.')
  await form.getByRole('button', { name: 'Add Voice Entry' }).click()
  await expect(form).toHaveCount(0)
  await page.reload()
  const audio = page.locator('main audio').first()
  await expect
    .poll(() => audio.evaluate((player: HTMLAudioElement) => player.duration), { timeout: 20_000 })
    .toBeLessThan(10)
  const playback = await audio.evaluate(async (player: HTMLAudioElement) => {
    player.currentTime = 2
    await new Promise((resolve) => player.addEventListener('seeked', resolve, { once: true }))
    return { position: player.currentTime, duration: player.duration }
  })
  expect(playback.position).toBeGreaterThan(1.5)
  expect(playback.duration).toBeGreaterThan(3)
})
