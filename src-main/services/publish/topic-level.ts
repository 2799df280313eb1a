/** A name as one level of a topic: what cannot stand there (MQTT 3.1.1, 4.7) is written as `%` and its octets of UTF-8, so that no two names share one. */
export function topicLevel(text: string): string {
  return text.replace(/[%/+#\p{Cc}]/gu, (char) => encodeURIComponent(char));
}
