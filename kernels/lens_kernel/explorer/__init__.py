"""A network as one HTML file to explore: drawn by vis-network, which pyvis brings, on a page of our own."""
