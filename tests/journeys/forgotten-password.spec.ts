import { cast } from '../cast.ts'
import { expect, registerPerson, test } from './fixtures.ts'

const newPassword = 'winter-ferry-north-7'

test('a forgotten password is replaced through an emailed one-time link', async ({ page, keeper, mailbox, watch }) => {
  watch.expectLine(/status of 40[13]/)
  const { token } = await registerPerson(keeper, 'ada')
  await page.goto('/login')
  await page.getByLabel('Email').fill(cast.ada.email)
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await expect(page.getByLabel('Email')).toHaveValue(cast.ada.email)
  await page.getByRole('button', { name: 'Send a link' }).click()
  await expect(page.getByText('If an account uses this email, a link is on its way.')).toBeVisible()

  const mail = await mailbox.waitForMail(cast.ada.email)
  const link = /https?:\/\/\S+/.exec(mail.text)?.[0] ?? ''
  expect(link).toContain(`${keeper.url}/login?reset=`)
  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill('short')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByLabel('New password', { exact: true })).toHaveAccessibleDescription(
    'Use at least 8 characters.',
  )
  await page.getByLabel('New password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText('Your password was changed. Sign in with the new one.')).toBeVisible()
  expect(page.url(), 'the link is removed from the URL').not.toContain('reset')

  const previousSession = await page.request.get('/api/kam/auth/session', {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(previousSession.status(), 'the previous session').toBe(401)

  await page.getByLabel('Email').fill(cast.ada.email)
  await page.getByLabel('Password', { exact: true }).fill(cast.ada.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toContainText('don’t match')
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/root$/)

  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill('another-lamp-entirely-9')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByRole('alert')).toHaveText('This link has already been used or has expired. Ask for a new one.')
  await page.getByRole('button', { name: 'Ask for a new link' }).click()
  await page.getByLabel('Email').fill(cast.ada.email)
  await page.getByRole('button', { name: 'Send a link' }).click()
  await expect(page.getByText('If an account uses this email, a link is on its way.')).toBeVisible()
  await page.getByRole('button', { name: 'Back to sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  expect(keeper.lines.join('\n')).not.toContain(new URL(link).searchParams.get('reset'))
})

test('a reset for an unknown email says the same and sends no email @long', async ({ page, mailbox }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Email').fill('nobody@willowbrook.example')
  await page.getByRole('button', { name: 'Send a link' }).click()
  await expect(page.getByText('If an account uses this email, a link is on its way.')).toBeVisible()
  expect(mailbox.mails).toEqual([])
})
