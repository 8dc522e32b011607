export function LoadingText() {
  return (
    <p
      role="status"
      className="grid min-h-[50dvh] place-items-center font-serif text-read text-muted-foreground italic"
    >
      Loading...
    </p>
  )
}
