import type { Page } from '@playwright/test'
import type { SignInResult } from '#contract/accounts/accounts.ts'
import type { Domain } from '#contract/domains/domains.ts'
import type { InvitationWithLink } from '#contract/domains/invitations.ts'
import { cast } from '../cast.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { delayPosts } from './delayed-posts.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, registerPerson, test } from './fixtures.ts'

const refusal = /This invitation has been used or revoked, or has expired\. Ask the person who sent it for a new one\./

/** The domain that was created at registration. */
async function fetchHomeDomain(keeper: BuiltKeeper, { token }: SignInResult): Promise<Domain> {
  const response = await fetch(`${keeper.url}/api/domains/my`, { headers: { authorization: `Bearer ${token}` } })
  const [home] = (await response.json()) as Domain[]
  if (!home) throw new Error('no one can register without a domain')
  return home
}

async function createInvitation(keeper: BuiltKeeper, ada: SignInResult, email: string): Promise<InvitationWithLink> {
  const home = await fetchHomeDomain(keeper, ada)
  const body = { emails: [email], role: 'friend', note: 'Come in. The kettle is on.' }
  const [invitation] = await keeper.callApi<InvitationWithLink[]>(`/api/domains/${home.id}/invitations`, body, {
    token: ada.token,
  })
  if (!invitation) throw new Error('no invitation was created')
  return invitation
}

const getInvitationsPanel = (page: Page) => page.getByRole('region', { name: 'Invitations' })

test('two people are invited; one joins by link, the other link is revoked', async ({
  page,
  anotherPage,
  keeper,
  mailbox,
  watch,
}) => {
  const ada = await registerAndSignIn(page, keeper, 'ada')
  const home = await fetchHomeDomain(keeper, ada)
  await page.goto(`/root/domain?domain=${home.id}`)
  const panel = getInvitationsPanel(page)
  await panel.getByRole('button', { name: 'Invite people' }).click()
  const dialog = page.getByRole('dialog')
  const emails = dialog.getByLabel('Email addresses')
  await expect(emails, 'the message field has the focus').toBeFocused()
  await emails.fill('nobody ben@willowbrook.example,')
  await emails.press('Enter')
  await emails.fill('dot@willowbrook.example')
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(dialog.getByText('nobody: This isn’t an email address.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Remove nobody' }).click()
  await dialog.getByLabel('Role').selectOption('friend')
  await dialog.getByLabel('Welcome note').fill('Come in. The kettle is on.')
  await expectNoViolations(page, 'the invitation form')
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()

  await expect(dialog.getByRole('heading', { name: '2 people invited' })).toBeVisible()
  await expectNoViolations(page, 'the links')
  const link = await dialog.getByRole('textbox', { name: 'Link for ben@willowbrook.example' }).inputValue()
  const dotLink = await dialog.getByRole('textbox', { name: 'Link for dot@willowbrook.example' }).inputValue()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await dialog.getByRole('button', { name: 'Copy link for ben@willowbrook.example' }).click()
  await expect(dialog.getByText('Copied', { exact: true }).first()).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  expect((await mailbox.waitForMail('ben@willowbrook.example')).text).toContain(link)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(panel.getByRole('list', { name: 'Invitations' }).getByRole('listitem')).toHaveCount(2)

  const benPage = await anotherPage()
  await benPage.goto(link)
  await expect(benPage.getByRole('heading', { name: 'Begin Your Journey' })).toBeVisible()
  const invitationRegion = benPage.getByRole('region', { name: 'Your invitation' })
  await expect(invitationRegion).toContainText('Ada Lindqvist invites you to Ada Lindqvist as a friend.')
  await expect(invitationRegion).toContainText('The kettle is on.')
  expect(benPage.url(), 'the token is removed from the URL').toBe(`${keeper.url}/register`)
  await expect(benPage.getByLabel('Email')).toHaveValue('ben@willowbrook.example')
  await expectNoViolations(benPage, 'registering with an invitation')
  await benPage.reload()
  await expect(invitationRegion).toContainText('Ada Lindqvist')

  await benPage.getByLabel('Name').fill(cast.ben.name)
  await benPage.getByLabel('Password', { exact: true }).fill(cast.ben.password)
  await benPage.getByRole('button', { name: 'Begin' }).click()
  await expect(benPage.getByText('You’re now a member of Ada Lindqvist.')).toBeVisible()
  await expect(benPage).toHaveURL(`${keeper.url}/root/domain?domain=${home.id}`)
  await expect(benPage.getByRole('list', { name: 'Members of Ada Lindqvist' })).toContainText('Ben Haugen')
  await expect(benPage.getByRole('region', { name: 'Invitations' })).toHaveCount(0)

  await expect(page.getByRole('list', { name: 'Members of Ada Lindqvist' })).toContainText('Ben Haugen')
  await panel.getByRole('button', { name: 'Revoke for dot@willowbrook.example' }).click()
  const confirmation = page.getByRole('alertdialog')
  await expect(confirmation).toContainText('Revoke the invitation for dot@willowbrook.example?')
  await confirmation.getByRole('button', { name: 'Revoke' }).click()
  await expect(panel.getByText('No pending invitations.')).toBeVisible()
  await panel.getByText('All (2)').click()
  await expect(panel.getByRole('listitem').filter({ hasText: 'dot@' })).toContainText('Revoked')
  await expect(panel.getByRole('listitem').filter({ hasText: 'ben@' })).toContainText('accepted by Ben Haugen')

  watch.expectLine(/status of 403/)
  const dotPage = await anotherPage()
  await dotPage.goto(dotLink)
  await expect(dotPage.getByText(refusal)).toBeVisible()
  await expectNoViolations(dotPage, 'an expired link')
  for (const secret of [link, dotLink])
    expect(keeper.lines.join('\n')).not.toContain(new URL(secret).searchParams.get('invitation'))
})

test('an unsent invitation survives Escape, clicks and reloads @long', async ({ page, keeper }) => {
  const home = await fetchHomeDomain(keeper, await registerAndSignIn(page, keeper, 'ada'))
  await page.goto(`/root/domain?domain=${home.id}`)
  const dialog = page.getByRole('dialog')
  const emails = dialog.getByLabel('Email addresses')
  const openDialog = () => page.getByRole('button', { name: 'Invite people' }).click()
  const expectTypedValues = async () => {
    await expect(dialog.getByRole('list', { name: 'Addresses to invite' })).toHaveText(/ben@.*cleo@/)
    await expect(emails).toHaveValue('dot@willow')
    await expect(dialog.getByLabel('Role')).toHaveValue('friend')
    await expect(dialog.getByLabel('Welcome note')).toHaveValue('The kettle is on.')
  }
  await openDialog()
  await emails.fill('ben@willowbrook.example cleo@willowbrook.example')
  await emails.press('Enter')
  await emails.fill('dot@willow')
  await dialog.getByLabel('Role').selectOption('friend')
  await dialog.getByLabel('Welcome note').fill('The kettle is on.')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await openDialog()
  await expectTypedValues()
  await page.mouse.click(5, 5)
  await expect(dialog).toHaveCount(0)
  await page.reload()
  await openDialog()
  await expectTypedValues()

  await emails.fill('')
  const release = await delayPosts(page, '**/invitations')
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(dialog.getByRole('button', { name: 'Inviting...' })).toBeVisible()
  await expect(dialog.getByLabel('Welcome note'), 'the form is locked while sending').not.toBeEditable()
  await dialog.getByRole('button', { name: 'Remove ben@willowbrook.example' }).click()
  await expect(dialog.getByRole('list', { name: 'Addresses to invite' })).toHaveText(/ben@.*cleo@/)
  release()
  await expect(dialog.getByRole('heading', { name: '2 people invited' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await openDialog()
  await expect(dialog.getByLabel('Welcome note')).toHaveValue('')
  await emails.fill('dot@willowbrook.example')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await openDialog()
  await expect(emails).toHaveValue('')
})

test('an existing account accepts an invitation, and its link works only once @long', async ({
  page,
  keeper,
  watch,
}) => {
  const ada = await registerPerson(keeper, 'ada')
  await registerPerson(keeper, 'ben')
  const { link } = await createInvitation(keeper, ada, 'ben.at.work@willowbrook.example')
  await page.goto(link)
  await page.getByRole('link', { name: 'Already have a keeper? Sign in.' }).click()
  await expect(page.getByText('Sign in to answer your invitation.')).toBeVisible()
  await page.getByLabel('Email').fill(cast.ben.email)
  await page.getByLabel('Password', { exact: true }).fill(cast.ben.password)
  await page.getByRole('button', { name: 'Sign in' }).click()

  const dialog = page.getByRole('dialog', { name: 'You’re invited' })
  await expect(dialog).toContainText('Ada Lindqvist invites you to Ada Lindqvist as a friend.')
  await expect(dialog).toContainText(
    'This invitation was sent to ben.at.work@willowbrook.example, but you’re signed in as',
  )
  await expect(page).toHaveURL(`${keeper.url}/root/domain`)
  await expectNoViolations(page, 'answering an invitation')
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await expect(dialog).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Root Dashboard' })).toBeVisible()
  await expect(dialog).toHaveCount(0)

  await page.goto(link)
  await expect(dialog).toBeVisible()
  await page.reload()
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByText('You’re now a member of Ada Lindqvist.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Members of Ada Lindqvist' })).toContainText('Friend')

  watch.expectLine(/status of 403/)
  await page.goto(link)
  const invalidDialog = page.getByRole('dialog', { name: 'This invitation is no longer valid' })
  await expect(invalidDialog).toContainText(refusal)
  await invalidDialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(invalidDialog).toHaveCount(0)
})

test.describe('where registration is by invitation', () => {
  test.use({ settings: { KEEPER_REGISTRATION: 'invite' }, viewport: { width: 390, height: 844 } })

  test('registration needs an invitation, and resending replaces the link @long', async ({
    page,
    anotherPage,
    keeper,
    watch,
  }) => {
    const ada = await registerAndSignIn(page, keeper, 'ada', { isSuperAdmin: true })
    const first = await createInvitation(keeper, ada, 'dot@willowbrook.example')
    const home = await fetchHomeDomain(keeper, ada)
    await page.goto(`/root/domain?domain=${home.id}`)
    await page.getByRole('button', { name: 'Resend to dot@willowbrook.example' }).click()
    await expect(page.getByText('A new link for dot@willowbrook.example is ready.')).toBeVisible()
    const link = await page.getByRole('textbox', { name: 'Link for dot@willowbrook.example' }).inputValue()
    expect(link).not.toBe(first.link)
    await expectNoViolations(page, 'invitations on a phone')

    watch.expectLine(/status of 403/)
    const dotPage = await anotherPage()
    await dotPage.setViewportSize({ width: 390, height: 844 })
    await dotPage.goto(first.link)
    await expect(dotPage.getByText(refusal)).toBeVisible()
    await dotPage.getByLabel('Email').fill(cast.dot.email)
    await dotPage.getByLabel('Password', { exact: true }).fill(cast.dot.password)
    await dotPage.getByRole('button', { name: 'Begin' }).click()
    await expect(dotPage.getByText('Registration is closed.')).toBeVisible()

    await dotPage.goto(link)
    await expect(dotPage.getByLabel('Email')).toHaveValue('dot@willowbrook.example')
    await dotPage.getByLabel('Password', { exact: true }).fill(cast.dot.password)
    await dotPage.getByRole('button', { name: 'Begin' }).click()
    await expect(dotPage.getByText('You’re now a member of Ada Lindqvist.')).toBeVisible()
    expect(await dotPage.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await expect(
      page.getByText('A new link for dot@willowbrook.example is ready.'),
      'the notice disappears after use',
    ).toHaveCount(0)
  })
})
