import type { Locator, Page } from '@playwright/test'
import type { BuiltKeeper } from '../built-keeper.ts'
import { getButton } from '../locators.ts'

/** Id of every failed response, to check that the page reveals it. */
export const brokenRequestId = '01JDBROKENREQUEST0000000000'

/** A status, or no answer at all. */
export type CallFailure = number | 'unreachable'

export interface CallAnswer {
  status?: number
  json?: object
  /** Server-sent events, instead of `json`. */
  stream?: string
  beforeResponse?: () => Promise<unknown>
}

export interface ErrorWorld {
  page: Page
  keeper: BuiltKeeper
  /** Calls the API directly as that person. */
  callApi<Data>(path: string, body?: unknown, method?: string): Promise<Data>
  /**
   * Fails a call such as `POST /api/domains` until the text was checked; `*` matches one path segment, a query must
   * match completely.
   */
  failCall(call: string, failure: CallFailure): Promise<void>
  /** Like `failCall`, but responds with `answer`. */
  answerCall(call: string, answer: CallAnswer): Promise<void>
  /** Restores all calls. */
  restoreCalls(): Promise<void>
}

/** A text of the specification: how to provoke it, and where it appears. */
export interface ErrorTextCase {
  text: string
  provoke(world: ErrorWorld): Promise<void>
  /** Omitted when the text appears only in the console. */
  where?: (page: Page) => Locator
  /** The button or link that resolves the problem. */
  remedy?: (page: Page) => Locator
  /** A field and the typed text that it must keep. */
  preserved?: (page: Page) => [Locator, string]
  /** The system information must contain the request id. */
  showsRequestId?: true
  /** Restores the state that the next text needs. */
  cleanUp?(world: ErrorWorld): Promise<void>
}

export interface ErrorScene {
  name: string
  /** As a super-admin. */
  isSuperAdmin?: true
  /** Signed out. */
  visitor?: true
  /** Creates the content and opens the first page. */
  setUp(world: ErrorWorld): Promise<void>
  texts: ErrorTextCase[]
}

export const getAlert = (text: string) => (page: Page) => page.getByRole('alert').filter({ hasText: text })
export const getRetryButton = (page: Page) => getButton(page, 'Retry').first()
export const pressEscape = ({ page }: ErrorWorld) => page.keyboard.press('Escape')
