import type { Locator, Page } from '@playwright/test'

export const getButton = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })
export const getStatusMessage = (page: Page, text: string): Locator =>
  page.getByRole('status').filter({ hasText: text })
export const getUnsavedNote = (page: Page): Locator => page.getByText('Unsaved changes', { exact: true })

export const getFrame = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
export const getAgentCard = (page: Page, name: string): Locator =>
  page.getByRole('article').filter({ has: page.getByRole('link', { name, exact: true }) })
export const getPurpose = (page: Page): Locator => page.getByRole('textbox', { name: 'Purpose', exact: true })

export const getReflectionBox = (page: Page): Locator => page.getByRole('textbox', { name: 'Reflection', exact: true })
/** The form for a new moment. */
export const getComposer = (page: Page): Locator => page.getByRole('form', { name: 'New moment' })

export const getSidebarNav = (page: Page): Locator => page.getByRole('navigation', { name: 'Main', exact: true })
export const getActiveRows = (page: Page): Locator => getSidebarNav(page).locator('a[aria-current="page"]')
