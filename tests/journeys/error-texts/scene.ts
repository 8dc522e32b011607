import type { Locator, Page } from '@playwright/test'
import type { BuiltKeeper } from '../built-keeper.ts'

/** What every broken answer carries, so that one can look whether the page lets it be found. */
export const brokenRequest = '01JDBROKENREQUEST0000000000'

export type Broken =
  | number
  | 'unreachable'
  | { status?: number; json?: object; stream?: string; before?: () => Promise<unknown> }

export interface World {
  page: Page
  keeper: BuiltKeeper
  /** Of who is signed in on the page. */
  token: string
  /** Past the page, in that person's name. */
  ask<Data>(path: string, body?: unknown, method?: string): Promise<Data>
  /**
   * Breaks one call on its way between page and server, until the text was seen.
   *
   * @param call e.g. `POST /api/domains`; `*` stands for one part of the path, and a query is matched whole
   * @param how a status, with an answer that says nothing in words; `unreachable`; or the answer as it is to come
   */
  breaks(call: string, how: Broken): Promise<void>
  /** From now on the way is free again. */
  mends(): Promise<void>
}

/** One text of the specification: how it is provoked, and where it is seen. */
export interface SeenText {
  text: string
  provoke(world: World): Promise<void>
  /** Where it stands. Left out: only the console says it, and nothing of it stands on the page. */
  where?: (page: Page) => Locator
  /** The button or link beside it that is the way out. */
  remedy?: (page: Page) => Locator
  /** What was typed, and where it must still stand. */
  kept?: (page: Page) => [Locator, string]
  /** The id of the broken request is to be found in the system information. */
  tellsRequest?: true
  /** Back to where the next one begins. */
  after?(world: World): Promise<void>
}

export interface Scene {
  name: string
  /** With the permissions of a super-admin. */
  runsThePlatform?: true
  /** Nobody is signed in. */
  visitor?: true
  /** Makes what it needs, and opens the first page. */
  begin(world: World): Promise<void>
  texts: SeenText[]
}

export const alert = (text: string) => (page: Page) => page.getByRole('alert').filter({ hasText: text })
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const retry = (page: Page) => button(page, 'Retry').first()
export const pressEscape = ({ page }: World) => page.keyboard.press('Escape')
