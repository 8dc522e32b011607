import { Wordmark } from '#web/page/wordmark.tsx'
import { AnchorButton } from '#web/ui/controls/button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'

/** Uses plain anchors, because the public pages have no router. */
export function PublicHeader({ currentPage, className }: { currentPage?: 'home'; className?: string }) {
  return (
    <header
      data-chrome
      className={classNames('flex h-[76px] shrink-0 items-center px-14 phone:h-16 phone:px-[18px]', className)}
    >
      <Wordmark />
      <nav aria-label="Main" className="ms-auto flex items-center gap-7 text-[0.9375rem] font-medium">
        <a
          href="/"
          aria-current={currentPage === 'home' ? 'page' : undefined}
          className={classNames(
            'rounded-xs decoration-ribbon decoration-2 underline-offset-[7px] hover:underline phone:hidden',
            currentPage === 'home' && 'underline',
          )}
        >
          Home
        </a>
        <a
          href="/register"
          className="rounded-xs decoration-ribbon decoration-2 underline-offset-[7px] hover:underline phone:hidden"
        >
          Begin
        </a>
        <AnchorButton href="/login">Login</AnchorButton>
      </nav>
    </header>
  )
}
