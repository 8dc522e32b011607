import { expect, type Page } from '@playwright/test'

/** What a page says that nobody expected: errors and warnings, exceptions, breaches of the page policy. */
export class Watch {
  readonly #said: string[] = []
  // What the test runner itself says where it keeps the service worker out.
  readonly #expected: RegExp[] = [/Service Worker registration blocked by Playwright/]

  /** For a journey that goes wrong on purpose: a wrong password makes the browser print the 401. */
  expectLine(pattern: RegExp): void {
    this.#expected.push(pattern)
  }

  /** For a journey that signs out: what its pages were still asking is refused, which the browser prints. */
  expectEndOfSession(): void {
    this.expectLine(/status of 401 \(Unauthorized\) \(\S+\/api\//)
  }

  async over(page: Page): Promise<void> {
    page.on('pageerror', (error) => this.#said.push(`exception: ${error.message}`))
    page.on('console', (message) => {
      if (!['error', 'warning'].includes(message.type())) return
      this.#said.push(`console ${message.type()}: ${message.text()} (${message.location().url})`)
    })
    await page.exposeFunction('keeperSaysViolation', (violation: string) => this.#said.push(violation))
    await page.addInitScript(() => {
      const report = (window as unknown as { keeperSaysViolation(violation: string): void }).keeperSaysViolation
      document.addEventListener(
        'securitypolicyviolation',
        ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
          report(`page policy: ${violatedDirective} refused ${blockedURI} (${sourceFile}:${lineNumber})`),
      )
    })
  }

  check(): void {
    const unexpected = this.#said.filter((line) => !this.#expected.some((pattern) => pattern.test(line)))
    expect(unexpected, 'what the page said without being expected').toEqual([])
  }
}
