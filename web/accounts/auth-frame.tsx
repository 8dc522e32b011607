import type { ReactNode } from 'react'
import { DebugLink } from '#web/page/debug-tab.tsx'
import { Wordmark } from '#web/page/wordmark.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { SkipLink } from '#web/ui/controls/skip-link.tsx'
import { Landscape } from '#web/ui/drawings/landscape.tsx'

export function AuthFrame({ children }: { children: ReactNode }) {
  return (
    <div className="grid min-h-dvh grid-cols-[minmax(440px,1fr)_1.45fr] phone:grid-cols-1">
      <SkipLink />
      {/* Explicit rows prevent a layout shift when the footer renders after the first paint. */}
      <div className="grid grid-rows-[auto_1fr_auto] px-14 py-8 phone:min-h-[calc(100dvh-190px)] phone:px-5 phone:pt-[22px] phone:pb-0">
        <header>
          <Wordmark />
        </header>
        <main id="main" tabIndex={-1} className="outline-hidden mx-auto w-full max-w-[372px] self-center py-9">
          {children}
        </main>
        <footer className="text-small text-muted-foreground">
          <p className="phone:hidden">A quiet place for what is worth keeping.</p>
          <DebugLink />
        </footer>
      </div>
      <aside
        aria-label="Landscape illustration"
        data-chrome
        className="relative overflow-hidden border-s border-border bg-ribbon-soft/45 dark:bg-sidebar phone:h-[190px] phone:border-0 phone:bg-transparent! dark:phone:bg-transparent!"
      >
        <Landscape
          width={860}
          height={900}
          disc={{ x: 0.62, y: 0.27, radius: 0.085 }}
          seed="shore-3"
          horizon={0.42}
          className="absolute inset-0 phone:inset-x-0 phone:top-auto phone:bottom-0 phone:h-[300px]"
        />
        <blockquote className="absolute start-12 top-11 max-w-[460px] font-serif text-[1.375rem] leading-[1.9375rem] italic phone:hidden">
          Most of a day can be let go.
          <br />
          Keep the part with the light in it.
        </blockquote>
      </aside>
    </div>
  )
}

interface AuthHeadingProps {
  title: string
  children: ReactNode
}

export function AuthHeading({ title, children }: AuthHeadingProps) {
  return (
    <>
      <h1 className="text-[2.625rem]! leading-[2.875rem]! phone:text-[2.25rem]! phone:leading-[2.625rem]!">{title}</h1>
      <p className="mt-2 mb-5 text-lead text-muted-foreground">{children}</p>
    </>
  )
}

export function AuthLink({ href, question, answer }: { href: string; question: string; answer: string }) {
  return (
    <a href={href} className="group rounded-xs text-muted-foreground">
      {question}{' '}
      <span className="font-semibold text-foreground underline decoration-ribbon decoration-2 underline-offset-[3px] group-hover:decoration-foreground">
        {answer}
      </span>
    </a>
  )
}

/** For email fields of the sign-in pages. */
export const emailFieldProps = {
  label: 'Email',
  name: 'email',
  type: 'email',
  autoComplete: 'username',
  autoCapitalize: 'none',
  spellCheck: false,
} as const

export function SubmitButton({ children, busyLabel, busy }: { children: string; busyLabel: string; busy: boolean }) {
  return (
    <Button type="submit" variant="primary" size="large" busy={busy} busyLabel={busyLabel} className="mt-2 w-full">
      {children}
    </Button>
  )
}

/** Looks like a link, but stays on the page. */
export function TextButton({ children, onClick }: { children: string; onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="tap-area rounded-xs text-muted-foreground underline-offset-[3px] hover:text-foreground hover:underline"
    >
      {children}
    </button>
  )
}
