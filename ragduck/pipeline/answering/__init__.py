"""Put evidence, history and answers together."""
