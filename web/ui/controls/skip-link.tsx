export function SkipLink() {
  return (
    <a
      href="#main"
      className="fixed start-3 top-3 z-60 -translate-y-20 rounded-md bg-primary px-4 py-2 text-ui font-label text-primary-foreground focus:translate-y-0 focus:shadow-e3"
    >
      Skip to content
    </a>
  )
}
