/** A channel as people are told it: that of another service with the name of the service. */
export function channelPlace({ service, channel }: { readonly service?: string | undefined; readonly channel: string }): string {
  return service === undefined || service === '' ? channel : `${service} · ${channel}`;
}
