/** Over a form that was left and whose words were found again. */
export function WordsKept() {
  return <p className="text-small text-muted-foreground">Draft restored.</p>
}
