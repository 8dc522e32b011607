export function SampleChat({ name }: { name: string }) {
  return (
    <div className="flex h-full flex-col gap-3 px-3.5 py-3">
      <p className="self-end rounded-[12px_12px_3px_12px] bg-secondary px-3 py-1.5 text-ui text-secondary-foreground">
        What did I keep about Ida?
      </p>
      <p className="font-serif text-[16px] leading-[23px]">
        Four cards. The newest is about the lamp, and the oldest about what she says when she means <em>stay</em>.
      </p>
      <p className="mt-auto rounded-md border border-dashed border-border px-3 py-2 text-small text-muted-foreground">
        {name} is a sample. No model is called.
      </p>
    </div>
  )
}
