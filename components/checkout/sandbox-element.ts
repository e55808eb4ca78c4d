type Listener = (event: Record<string, unknown>) => void

/** An element of the sandbox's Stripe script: it has listeners like Stripe's elements, and update() does nothing. */
export class SandboxElement {
  private readonly listeners = new Map<string, Listener[]>()

  constructor(private readonly elementType: string) {}

  on(event: string, listener: Listener): this {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener])
    return this
  }

  off(event: string): this {
    this.listeners.delete(event)
    return this
  }

  update(): void {}

  protected emit(name: string, event: Record<string, unknown> = {}): void {
    for (const listener of this.listeners.get(name) ?? []) listener({ elementType: this.elementType, ...event })
  }
}
