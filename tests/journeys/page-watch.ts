import { expect, type Page } from '@playwright/test'

/** Collects unexpected errors, warnings, exceptions and policy violations of pages. */
export class Watch {
  readonly #output: string[] = []
  // Printed by Playwright because it blocks service workers.
  readonly #expected: RegExp[] = [/Service Worker registration blocked by Playwright/]

  /** For deliberate failures: a wrong password makes the browser print the 401. */
  expectLine(pattern: RegExp): void {
    this.#expected.push(pattern)
  }

  /** For journeys that sign out: pending requests are refused and printed. */
  expectEndOfSession(): void {
    this.expectLine(/status of 401 \(Unauthorized\) \(\S+\/api\//)
  }

  async watchPage(page: Page): Promise<void> {
    page.on('pageerror', (error) => this.#output.push(`exception: ${error.message}`))
    page.on('console', (message) => {
      if (!['error', 'warning'].includes(message.type())) return
      this.#output.push(`console ${message.type()}: ${message.text()} (${message.location().url})`)
    })
    await page.exposeFunction('reportPolicyViolation', (violation: string) => this.#output.push(violation))
    await page.addInitScript(() => {
      const report = (window as unknown as { reportPolicyViolation(violation: string): void }).reportPolicyViolation
      document.addEventListener(
        'securitypolicyviolation',
        ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
          report(`page policy: ${violatedDirective} refused ${blockedURI} (${sourceFile}:${lineNumber})`),
      )
    })
  }

  check(): void {
    const unexpected = this.#output.filter((line) => !this.#expected.some((pattern) => pattern.test(line)))
    expect(unexpected, 'unexpected page output').toEqual([])
  }
}
